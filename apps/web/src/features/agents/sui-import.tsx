import '../../i18n/later-texts'
import { product } from '@parley/contract/product'
import { shortAddress } from '@parley/contract/users'
import { useEffect, useRef, useState } from 'react'
import type { SuiBundlePreview } from '../../data/agents/sui-import'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { AgentFace } from '../../ui/agent-face'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toast } from '../../ui/toast'
import { MarkLine } from './sui-marks'
import styles from './sui-page.module.css'
import { problemKey } from './sui-problem'

const loadImport = () => import('../../data/agents/sui-import')

/** Imports an agent of the person's wallet from another server's file, after a preview. */
export default function ImportManifest() {
  const { t, language } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [preview, setPreview] = useState<SuiBundlePreview>()

  async function read(file: File) {
    setIsBusy(true)
    setProblem(undefined)
    try {
      setPreview(await (await loadImport()).previewSuiBundle(file))
    } catch (error) {
      setProblem(errorMessage(error, language) ?? t('suiAgents.importFailed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <div>
      <p className={styles.import}>
        <button
          type="button"
          className={styles.link}
          aria-busy={isBusy || undefined}
          onClick={() => isBusy || input.current?.click()}
        >
          {t('suiAgents.import')}
        </button>{' '}
        <span>{t('suiAgents.importWhy', { product: product.name })}</span>
      </p>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('suiAgents.import')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {preview && <Preview preview={preview} onClose={() => setPreview(undefined)} />}
    </div>
  )
}

function Preview({ preview, onClose }: { preview: SuiBundlePreview; onClose: () => void }) {
  const { t, language } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { bundle, manifest, versions, canImport } = preview
  const face = useObjectUrl(preview.picture)

  async function bring() {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { agent } = await (await loadImport()).importSuiBundle(bundle)
      toast.success(t('suiAgents.imported', { name: agent.name }))
      onClose()
    } catch (error) {
      setProblem(errorMessage(error, language) ?? t('suiAgents.importFailed'))
      setIsBusy(false)
    }
  }

  const date =
    manifest && new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(manifest.signedAt))
  return (
    <Dialog
      title={t('suiAgents.import')}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus={canImport ? undefined : ''} onClick={onClose}>
            {t('suiAgents.preview.cancel')}
          </Button>
          <Button
            data-autofocus={canImport ? '' : undefined}
            variant="primary"
            disabled={!canImport}
            busy={isBusy}
            onClick={() => void bring()}
          >
            {t('suiAgents.preview.import')}
          </Button>
        </>
      }
    >
      <div className={styles.bundle}>
        <AgentFace src={face ?? ''} size={64} />
        <div>
          <h3>
            <bdi>{manifest?.name ?? t('suiAgents.preview.unreadable')}</bdi>
          </h3>
          {manifest && (
            <p className={styles.author} title={manifest.address}>
              {t('suiAgents.preview.author', { address: shortAddress(manifest.address) })}
            </p>
          )}
          <p>
            {date
              ? t('suiAgents.preview.versions', { count: versions, date })
              : t('suiAgents.preview.versionsOnly', { count: versions })}
          </p>
          {manifest && <p>{t('suiAgents.preview.from', { domain: manifest.domain })}</p>}
        </div>
      </div>
      <ul className={styles.marks} aria-label={t('suiAgents.preview.checks')}>
        <Checks preview={preview} />
      </ul>
      <p role="alert" className={styles.problem}>
        {problem ?? refusal(preview, t)}
      </p>
    </Dialog>
  )
}

function Checks({ preview: { broken, versions, manifest, picture, secrets, isOwn } }: { preview: SuiBundlePreview }) {
  const { t } = useTranslation()
  const { version = 0, problem } = broken ?? {}
  return (
    <>
      <MarkLine
        mark={problem ? 'bad' : 'good'}
        text={problem ? t(problemKey(problem), { version }) : t('suiAgents.good', { count: versions })}
      />
      {manifest && !problem && (
        <MarkLine
          mark={isOwn ? 'good' : 'bad'}
          text={t(isOwn ? 'suiAgents.preview.own' : 'suiAgents.preview.foreign')}
        />
      )}
      <MarkLine
        mark={picture ? 'good' : 'bad'}
        text={t(picture ? 'suiAgents.marks.pictureGood' : 'suiAgents.marks.pictureBad')}
      />
      {secrets === 'good' && <MarkLine mark="good" text={t('suiAgents.marks.secretsGood')} />}
      {secrets === 'bad' && <MarkLine mark="bad" text={t('suiAgents.marks.secretsBad')} />}
      {secrets === 'unknown' && <MarkLine mark="unknown" text={t('suiAgents.preview.noSecrets')} />}
    </>
  )
}

/** Why it cannot be imported; undefined where it can. */
function refusal({ canImport, broken, isOwn, secrets, picture }: SuiBundlePreview, t: Translate): string | undefined {
  if (canImport) return undefined
  if (broken || secrets === 'bad' || !picture) return t('suiAgents.preview.notSigned')
  return isOwn ? t('suiAgents.preview.exportAgain') : t('suiAgents.preview.otherWallet')
}

/** An object URL, revoked when the component unmounts. */
function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

import '../../i18n/later-texts'
import type { SeenAgent } from '@parley/contract/agents'
import type { SuiAnchoring } from '@parley/contract/config'
import { shortAddress } from '@parley/contract/users'
import { Copy, Download, ShieldCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Mark, Progress, Verification, VerifiedVersion } from '../../data/agents/sui-verify'
import { useConfig } from '../../data/config/use-config'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { errorMessage } from '../../lib/error-message'
import { Button, IconButton } from '../../ui/button'
import { toast } from '../../ui/toast'
import { AnchorLine, AnchorOffer, AnchorTransaction } from './sui-anchor'
import { copyText } from './sui-copy'
import styles from './sui-history.module.css'
import { MarkIcon, MarkLine } from './sui-marks'
import { problemKey } from './sui-problem'

type Props = {
  agent: SeenAgent
  /** A part of it fails verification. */
  onForged: (isForged: boolean) => void
}

/** The signatures of an agent, verified in the reader's browser. */
export default function SuiHistorySection({ agent, onForged }: Props) {
  const { t, language } = useTranslation()
  const anchoring = useConfig()?.suiAnchoring
  const { verified, progress, problem, verify } = useVerify(agent, { anchoring, onForged })
  const said =
    problem ??
    (progress && !verified
      ? t('suiAgents.verifying', progress)
      : verified
        ? summary(verified, t)
        : t('suiAgents.unverified'))
  return (
    <section className={styles.section} aria-label={t('suiAgents.history')}>
      <p className={styles.id}>
        <span title={agent._id}>{t('suiAgents.id', { id: shortAddress(agent._id) })}</span>
        <IconButton
          size="small"
          icon={Copy}
          label={t('suiAgents.copyId')}
          onClick={() => void copyText(agent._id, t)}
        />
      </p>
      <div className={styles.head}>
        <div>
          <h3>{t('suiAgents.history')}</h3>
          <p role="status" data-tone={problem !== undefined || verified?.isForged ? 'bad' : undefined}>
            {said}
          </p>
        </div>
        <Button
          size="small"
          icon={ShieldCheck}
          busy={progress !== undefined && !verified && problem === undefined}
          onClick={verify}
        >
          {t(verified ? 'suiAgents.verifyAgain' : 'suiAgents.verify')}
        </Button>
      </div>
      {verified && (
        <>
          <ul className={styles.marks}>
            <MarkLine
              mark={verified.shown}
              text={t(verified.shown === 'good' ? 'suiAgents.marks.shownGood' : 'suiAgents.marks.shownBad')}
            />
            <MarkLine mark={verified.picture} text={t(pictureTexts[verified.picture])} />
            <MarkLine mark={verified.secrets} text={t(secretsTexts[verified.secrets])} />
            {verified.anchors === 'none' && <MarkLine mark="none" text={t('suiAgents.anchor.none')} />}
            {verified.anchors === 'away' && <MarkLine mark="unknown" text={t('suiAgents.anchor.unread')} />}
          </ul>
          <ol className={styles.versions} reversed>
            {verified.versions.map((version, place) => (
              <li key={version.version}>
                <Version version={version} isLast={place === 0} language={language} />
              </li>
            ))}
          </ol>
        </>
      )}
      {verified?.versions.some(({ missing }) => missing.length > 0) && (
        <p className={styles.note}>{t('suiAgents.checked.note')}</p>
      )}
      <Button
        className={styles.save}
        size="small"
        variant="quiet"
        icon={Download}
        onClick={() => void save(agent._id, t)}
      >
        {t('suiAgents.save')}
      </Button>
      {anchoring && <AnchorOffer agent={agent} anchoring={anchoring} onAnchored={verified && verify} />}
    </section>
  )
}

function useVerify(
  agent: SeenAgent,
  { anchoring, onForged }: { anchoring: SuiAnchoring | undefined } & Pick<Props, 'onForged'>,
) {
  const { t, language } = useTranslation()
  const [verified, setVerified] = useState<Verification>()
  const [progress, setProgress] = useState<Progress>()
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function verify() {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setVerified(undefined)
    setProblem(undefined)
    setProgress({ done: 0, total: agent.sui?.version ?? 1 })
    try {
      const { verifySuiAgent } = await import('../../data/agents/sui-verify')
      const found = await verifySuiAgent(agent, { onProgress: setProgress, signal, anchoring })
      setVerified(found)
      onForged(found.isForged)
    } catch (error) {
      if (signal.aborted) return
      const message = errorMessage(error, language) ?? String(error)
      setProblem(t('suiAgents.verifyFailed', { message }))
    }
  }

  return { verified, progress, problem, verify: () => void verify() }
}

function summary({ versions, isForged }: Verification, t: Translate): string {
  if (isForged) return t('suiAgents.forged')
  const unread = versions.filter(({ anchor }) => anchor?.mark === 'unknown').length
  return unread > 0
    ? t('suiAgents.goodUnread', { count: versions.length })
    : t('suiAgents.good', { count: versions.length })
}

const pictureTexts = {
  good: 'suiAgents.marks.pictureGood',
  bad: 'suiAgents.marks.pictureBad',
  unknown: 'suiAgents.marks.pictureUnknown',
} as const
const secretsTexts = {
  good: 'suiAgents.marks.secretsGood',
  bad: 'suiAgents.marks.secretsBad',
  unknown: 'suiAgents.marks.secretsUnknown',
} as const

/** One version of the history; expanded, it shows the manifest literally. */
function Version({ version, isLast, language }: { version: VerifiedVersion; isLast: boolean; language: string }) {
  const { t } = useTranslation()
  const { manifest, problem, scheme } = version
  const mark: Mark = problem ? 'bad' : (version.anchor?.mark ?? 'good')
  const date =
    manifest && new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(manifest.signedAt))
  return (
    <details className={styles.version} data-mark={mark}>
      <summary>
        <MarkIcon mark={mark} />
        <span className={styles.words}>
          <span>
            <b>{t('suiAgents.versionName', { version: version.version })}</b>{' '}
            <bdi>
              <Changes version={version} language={language} />
            </bdi>
          </span>
          <small>
            {problem && <span>{t(problemKey(problem), { version: version.version })}</span>}
            {!problem && manifest && scheme && (
              <span>{t('suiAgents.signedFor', { scheme, domain: manifest.domain })}</span>
            )}
            {!problem && isLast && <span>{t('suiAgents.current')}</span>}
            {!problem && version.version === 1 && <span>{t('suiAgents.first')}</span>}
            {!problem && version.anchor && <AnchorLine anchor={version.anchor} />}
          </small>
        </span>
        <time>{date}</time>
      </summary>
      <section aria-label={t('suiAgents.manifest', { version: version.version })}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
        <pre tabIndex={0} dir="ltr">
          {version.json}
        </pre>
        {!problem && <p className={styles.checked}>{checkedText(version, { t, language })}</p>}
        {version.anchor && <AnchorTransaction transaction={version.anchor.transaction} />}
      </section>
    </details>
  )
}

/** The verified parts of a version, and the parts whose content is not stored any more. */
function checkedText(
  { version, missing }: VerifiedVersion,
  { t, language }: { t: Translate; language: string },
): string {
  const parts = new Intl.ListFormat(language, { type: 'conjunction' }).format(
    missing.map((part) => t(`suiAgents.parts.${part}`)),
  )
  const before = version - 1
  if (version === 1)
    return missing.length > 0 ? t('suiAgents.checked.firstLost', { parts }) : t('suiAgents.checked.first')
  return missing.length > 0
    ? t('suiAgents.checked.nextLost', { before, parts })
    : t('suiAgents.checked.next', { before })
}

function Changes({
  version: { version, manifest, changed },
  language,
}: {
  version: VerifiedVersion
  language: string
}) {
  const { t } = useTranslation()
  if (version === 1) return t('suiAgents.created', { name: manifest?.name ?? '' })
  if (changed.length === 0) return t('suiAgents.unchanged')
  const parts = new Intl.ListFormat(language, { type: 'conjunction' }).format(
    changed.map((part) => t(`suiAgents.parts.${part}`)),
  )
  return parts.charAt(0).toLocaleUpperCase(language) + parts.slice(1)
}

async function save(id: string, t: Translate): Promise<void> {
  try {
    const { suiBundleFile } = await import('../../data/agents/sui-signing')
    const { blob, name } = await suiBundleFile(id)
    downloadBlob(blob, name)
  } catch {
    // Any other error: it can be tried again.
    toast.error(t('suiAgents.saveFailed'))
  }
}

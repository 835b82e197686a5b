import '../../i18n/later-texts'
import { type DataType, type StorageType, storageTypes } from '@parley/contract/data-file'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { exportData, exportFileName } from '../../data/transfer/export-data'
import { passphraseMinLength } from '../../data/vault/passphrase-rules'
import { useTranslation } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { errorMessage } from '../../lib/error-message'
import { chooseSaveFile } from '../../lib/save-file'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { Segmented } from '../../ui/segmented'
import { toast } from '../../ui/toast'
import styles from './transfer.module.css'
import { TypeChoices } from './type-choices'
import { useStageFocus } from './use-stage-focus'
import { WorkProgress } from './work-progress'

const usual: ReadonlySet<DataType> = new Set(['channels', 'chats', 'assistants', 'documents'])

/** Chooses the data types and homes of the export, and a passphrase. */
export default function ExportDataDialog({ onClose }: { onClose: () => void }) {
  const { t, language } = useTranslation()
  const formId = useId()
  const [types, setTypes] = useState(usual)
  const [storageType, setStorageType] = useState<StorageType>('both')
  const [isProtected, setIsProtected] = useState(false)
  const [words, setWords] = useState({ passphrase: '', repeated: '' })
  const [problem, setProblem] = useState<{ field: 'passphrase' | 'repeated'; text: string }>()
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [work, setWork] = useState<AbortController>()
  const body = useStageFocus(work ? 'work' : 'form')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (work || types.size === 0) return
    const { passphrase, repeated } = words
    if (isProtected && passphrase.length < passphraseMinLength)
      return setProblem({ field: 'passphrase', text: t('transfer.passphraseShort') })
    if (isProtected && passphrase !== repeated)
      return setProblem({ field: 'repeated', text: t('transfer.passphrasesDiffer') })
    setProblem(undefined)
    const choice = { types: [...types], storageType, passphrase: isProtected ? passphrase : undefined }
    const fileName = exportFileName(choice)
    const chosen = await chooseSaveFile(fileName)
    if (!chosen) return
    const controller = new AbortController()
    running.current = controller
    setProgress(undefined)
    setWork(controller)
    try {
      const options = {
        ...chosen,
        signal: controller.signal,
        onProgress: (done: number, total: number) => setProgress({ done, total }),
      }
      const { blob, items, unreadable, unreadableSources } = await exportData(choice, options)
      if (blob) downloadBlob(blob, fileName)
      toast.success(t('transfer.exportDone', { count: items }))
      if (unreadable > 0) toast.error(t('transfer.unreadable', { count: unreadable }))
      if (unreadableSources > 0) toast.error(t('transfer.unreadableSources', { count: unreadableSources }))
      onClose()
    } catch (error) {
      if (controller.signal.aborted) toast.info(t('transfer.exportCancelled'))
      else
        toast.error(t('transfer.exportFailed', { reason: errorMessage(error, language) ?? t('transfer.unexpected') }))
      setWork(undefined)
    }
  }

  const cancel = (): void => (work ? work.abort() : onClose())
  const errorOf = (field: 'passphrase' | 'repeated') => (problem?.field === field ? { error: problem.text } : {})
  return (
    <Dialog
      title={t('transfer.exportTitle')}
      size="small"
      isStatic={work !== undefined || isProtected}
      onClose={cancel}
      footer={
        <>
          <Button variant="quiet" onClick={cancel}>
            {t('transfer.cancel')}
          </Button>
          {!work && (
            <Button variant="primary" type="submit" form={formId} disabled={types.size === 0}>
              {t('transfer.export')}
            </Button>
          )}
        </>
      }
    >
      <div ref={body} tabIndex={-1} className={styles.stage}>
        {work ? (
          <WorkProgress
            label={t('transfer.exportTitle')}
            progress={progress}
            text={progress ? t('transfer.exportProgress', progress) : t('transfer.preparing')}
          />
        ) : (
          <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
            <Segmented
              label={t('transfer.exportFrom')}
              value={storageType}
              options={storageTypes.map((value) => ({ value, label: t(`transfer.${value}`) }))}
              onChange={setStorageType}
            />
            <TypeChoices chosen={types} onChange={setTypes} />
            <div className={styles.protection}>
              <label className={styles.check}>
                <input
                  type="checkbox"
                  checked={isProtected}
                  onChange={(event) => setIsProtected(event.target.checked)}
                />
                <span>{t('transfer.protect')}</span>
              </label>
              <p className={styles.note}>{t(isProtected ? 'transfer.protectText' : 'transfer.readable')}</p>
            </div>
            {isProtected && (
              <>
                <Field label={t('transfer.passphrase')} hint={t('transfer.passphraseHint')} {...errorOf('passphrase')}>
                  <TextInput
                    type="password"
                    autoComplete="new-password"
                    value={words.passphrase}
                    onChange={(event) => setWords({ ...words, passphrase: event.target.value })}
                  />
                </Field>
                <Field label={t('transfer.repeat')} {...errorOf('repeated')}>
                  <TextInput
                    type="password"
                    autoComplete="new-password"
                    value={words.repeated}
                    onChange={(event) => setWords({ ...words, repeated: event.target.value })}
                  />
                </Field>
              </>
            )}
          </form>
        )}
      </div>
    </Dialog>
  )
}

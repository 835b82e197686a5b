import '../../i18n/later-texts'
import { useId } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { percentText } from '../../lib/percent-text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FileChoice } from './file-choice'
import { FoundChoice } from './found-choice'
import { ImportResult } from './import-result'
import { PassphraseEntry } from './passphrase-entry'
import styles from './transfer.module.css'
import { useImport } from './use-import'
import { useStageFocus } from './use-stage-focus'
import { WorkProgress } from './work-progress'

/**
 * `file`: chosen already. The whole file is checked before anything is written; then the person chooses what to import
 * and how to treat existing data.
 */
export default function ImportDataDialog({ file, onClose }: { file?: File | undefined; onClose: () => void }) {
  const { t, language } = useTranslation()
  const formId = useId()
  const { stage, choose, check, write, restart, cancel } = useImport(file)
  const body = useStageFocus(stage.at)
  const isWorking = stage.at === 'check' || stage.at === 'write'
  const isToReload = stage.at === 'done' && stage.count > 0
  const leave = (): void => (isWorking ? cancel() : isToReload ? location.reload() : onClose())
  const percent = (progress: { done: number; total: number } | undefined): string =>
    progress ? percentText(progress.done / Math.max(1, progress.total), language) : t('transfer.preparing')

  return (
    <Dialog
      title={t('transfer.importTitle')}
      size="small"
      isStatic={stage.at !== 'choose'}
      onClose={leave}
      footer={
        stage.at === 'done' ? (
          <Button variant="primary" onClick={leave} data-autofocus="">
            {t(isToReload ? 'transfer.reloadNow' : 'transfer.done')}
          </Button>
        ) : (
          <>
            {stage.at === 'found' && (
              <Button variant="quiet" onClick={restart}>
                {t('transfer.otherFile')}
              </Button>
            )}
            <Button variant="quiet" onClick={leave}>
              {t('transfer.cancel')}
            </Button>
            {(stage.at === 'found' || stage.at === 'locked') && (
              <Button variant="primary" type="submit" form={formId}>
                {t(stage.at === 'found' ? 'transfer.import' : 'transfer.open')}
              </Button>
            )}
          </>
        )
      }
    >
      <div ref={body} tabIndex={-1} className={styles.stage}>
        {stage.at === 'choose' && <FileChoice problem={stage.problem} onChoose={(file) => void choose(file)} />}
        {stage.at === 'locked' && (
          <PassphraseEntry
            formId={formId}
            fileName={stage.file.name}
            problem={stage.problem}
            onEnter={(words) => void check(stage.file, words)}
          />
        )}
        {stage.at === 'check' && (
          <WorkProgress label={t('transfer.checking')} progress={stage.progress} text={percent(stage.progress)} />
        )}
        {stage.at === 'found' && (
          <FoundChoice
            formId={formId}
            good={stage.good}
            preview={stage.preview}
            problem={stage.problem}
            onChoose={(choice) => void write(stage.good, choice)}
          />
        )}
        {stage.at === 'write' && (
          <WorkProgress
            label={t('transfer.writing')}
            hint={t('transfer.writingHint')}
            progress={stage.progress}
            text={percent(stage.progress)}
          />
        )}
        {stage.at === 'done' && <ImportResult summary={stage.summary} count={stage.count} />}
      </div>
    </Dialog>
  )
}

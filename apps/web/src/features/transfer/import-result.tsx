import '../../i18n/later-texts'
import { dataTypes } from '@parley/contract/data-file'
import type { ImportSummary } from '../../data/transfer/import-writer'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { ProblemList } from './problem-list'
import styles from './transfer.module.css'
import { useUndoImport } from './use-undo-import'

/** The result of an import by data type. `count`: the total. */
export function ImportResult({ summary, count }: { summary: ImportSummary; count: number }) {
  const { t, language } = useTranslation()
  const { undoable, isBusy, undo } = useUndoImport()
  const rows = [
    ...dataTypes.map((type) => ({ name: t(`transfer.${type}`), number: summary[`${type}Imported`] })),
    { name: t('transfer.skipped'), number: summary.skipped },
  ]
  return (
    <div className={styles.form}>
      <p role="status" className={styles.fileName}>
        {t('transfer.importDone', { count })}
      </p>
      <dl className={styles.summary}>
        {rows.map(({ name, number }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number.toLocaleString(language)}</dd>
          </div>
        ))}
      </dl>
      {summary.errors.length > 0 && <ProblemList title={t('transfer.errors')} problems={summary.errors} />}
      {summary.undoable > 0 && undoable && (
        <Button busy={isBusy} onClick={() => void undo()}>
          {t('transfer.undo')}
        </Button>
      )}
      {count > 0 && <p className={styles.note}>{t('transfer.reloads')}</p>}
    </div>
  )
}

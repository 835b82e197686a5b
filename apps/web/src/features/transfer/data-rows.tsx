import '../../i18n/later-texts'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { onLaunchedFile } from '../../lib/launched-file'
import { Button } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { SectionRow } from '../../ui/section'
import { useUndoImport } from './use-undo-import'

const ExportDataDialog = lazyPart(() => import('./export-data-dialog'))
const ImportDataDialog = lazyPart(() => import('./import-data-dialog'))

/** The rows of the settings that export and import the person's data. */
export function DataRows() {
  const { t, language } = useTranslation()
  const { undoable, isBusy, undo } = useUndoImport()
  const [open, setOpen] = useState<'export' | 'import'>()
  const [launched, setLaunched] = useState<File>()
  const close = (): void => {
    setOpen(undefined)
    setLaunched(undefined)
  }
  const openLaunched = useEffectEvent((file: File) => {
    // A running import is not aborted for another file.
    if (open === 'import') return
    setLaunched(file)
    setOpen('import')
  })
  useEffect(() => onLaunchedFile((file) => openLaunched(file)), [])
  return (
    <>
      <SectionRow title={t('settings.exportData')} text={t('settings.exportDataText')}>
        <Button onClick={() => setOpen('export')}>{t('settings.export')}</Button>
      </SectionRow>
      <SectionRow title={t('settings.importData')} text={t('settings.importDataText')}>
        <Button onClick={() => setOpen('import')}>{t('settings.import')}</Button>
      </SectionRow>
      {undoable && (
        <SectionRow
          title={t('transfer.undoTitle')}
          text={t('transfer.undoText', {
            count: undoable.chats,
            date: new Date(undoable.at).toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }),
          })}
        >
          <Button busy={isBusy} onClick={() => void undo()}>
            {t('transfer.undo')}
          </Button>
        </SectionRow>
      )}
      <Suspense>
        {open === 'export' && <ExportDataDialog onClose={close} />}
        {open === 'import' && <ImportDataDialog file={launched} onClose={close} />}
      </Suspense>
    </>
  )
}

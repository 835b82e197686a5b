import '../../i18n/later-texts'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { SectionRow } from '../../ui/section'

const ExportDataDialog = lazyPart(() => import('./export-data-dialog'))
const ImportDataDialog = lazyPart(() => import('./import-data-dialog'))

/** Taking one's data along, and bringing it back. */
export function DataRows() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'export' | 'import'>()
  const close = (): void => setOpen(undefined)
  return (
    <>
      <SectionRow title={t('settings.exportData')} text={t('settings.exportDataText')}>
        <Button onClick={() => setOpen('export')}>{t('settings.export')}</Button>
      </SectionRow>
      <SectionRow title={t('settings.importData')} text={t('settings.importDataText')}>
        <Button onClick={() => setOpen('import')}>{t('settings.import')}</Button>
      </SectionRow>
      <Suspense>
        {open === 'export' && <ExportDataDialog onClose={close} />}
        {open === 'import' && <ImportDataDialog onClose={close} />}
      </Suspense>
    </>
  )
}

import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { SectionRow } from '../../ui/section'
import { useMigrateAll } from './use-migrate-all'

/** Moving all cloud chats to this device, from the settings. */
export function MigrateRow() {
  const { t } = useTranslation()
  const { needsMigration, progress, canMigrate, migrate } = useMigrateAll()
  return (
    <SectionRow title={t('channels.migrateToLocal', { count: needsMigration })} text={progress ? t('channels.progress', progress) : t('settings.migrateText')}>
      <Button disabled={!canMigrate && !progress} busy={progress !== undefined} onClick={migrate}>
        {t(progress ? 'channels.moving' : 'channels.moveNow')}
      </Button>
    </SectionRow>
  )
}

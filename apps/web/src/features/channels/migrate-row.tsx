import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { SectionRow } from '../../ui/section'
import { useMigrateAll } from './use-migrate-all'

/** The row of the settings that moves all cloud chats to this device. */
export function MigrateRow() {
  const { t } = useTranslation()
  const { needsMigration, progress, canMigrate, migrate } = useMigrateAll()
  return (
    <SectionRow
      title={t('channels.migrateToLocal', { count: needsMigration })}
      text={progress ? t('channels.progress', progress) : t('settings.migrateText')}
    >
      <Button disabled={!canMigrate && !progress} busy={progress !== undefined} onClick={migrate}>
        {t(progress ? 'channels.moving' : 'channels.moveNow')}
      </Button>
    </SectionRow>
  )
}

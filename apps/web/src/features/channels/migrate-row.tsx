import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { SectionRow } from '../../ui/section'
import { useMigrateAll } from './use-migrate-all'

/** Moving all cloud chats to this device, from the settings. */
export function MigrateRow() {
  const { t } = useTranslation()
  const { count, progress, migrate } = useMigrateAll()
  return (
    <SectionRow title={t('channels.migrateToLocal', { count })} text={progress ? t('channels.progress', progress) : t('settings.migrateText')}>
      <Button disabled={count === 0 && !progress} busy={progress !== undefined} onClick={migrate}>
        {t(progress ? 'channels.moving' : 'channels.moveNow')}
      </Button>
    </SectionRow>
  )
}

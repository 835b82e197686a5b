import '../../i18n/later-texts'
import { useUser } from '../../data/session/stored-session'
import { MigrateRow } from '../../features/channels/migrate-row'
import { useAllChats } from '../../features/channels/use-all-chats'
import { AppearanceControls } from '../../features/settings/appearance-controls'
import { LogOutRow } from '../../features/settings/log-out-row'
import { PersonalInfo } from '../../features/settings/personal-info'
import { DataRows } from '../../features/transfer/data-rows'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Section, SectionRow } from '../../ui/section'
import styles from './settings.module.css'

export function GeneralTab() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <>
      {user && localStorage.getItem('web2Login') === 'true' && <PersonalInfo key={user.id} user={user} />}
      <Section title={t('settings.appearance')}>
        <div className={styles.appearance}>
          <AppearanceControls />
        </div>
      </Section>
      <Section title={t('settings.system')}>
        <LogOutRow />
        <DeleteAllRow />
        <MigrateRow />
        <DataRows />
      </Section>
    </>
  )
}

function DeleteAllRow() {
  const { t } = useTranslation()
  const chats = useAllChats()
  return (
    <SectionRow title={t('settings.deleteAll')} text={t('settings.deleteAllText')}>
      <Button disabled={chats.count === 0} busy={chats.isDeleting} onClick={chats.deleteAll}>
        {t('settings.delete')}
      </Button>
    </SectionRow>
  )
}

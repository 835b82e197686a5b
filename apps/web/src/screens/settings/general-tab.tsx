import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../data/session/stored-session'
import { useAllChats } from '../../features/channels/use-all-chats'
import { AppearanceControls } from '../../features/settings/appearance-controls'
import { LogOutRow } from '../../features/settings/log-out-row'
import { PersonalInfo } from '../../features/settings/personal-info'
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
        <ChatRows />
        <LogOutRow />
      </Section>
    </>
  )
}

function ChatRows() {
  const { t } = useTranslation()
  const chats = useAllChats()
  const fileInput = useRef<HTMLInputElement>(null)
  const isEmpty = chats.count === 0
  return (
    <>
      <SectionRow title={t('settings.exportData')} text={t('settings.exportDataText')}>
        <Button disabled={isEmpty} onClick={chats.exportAll}>
          {t('settings.export')}
        </Button>
      </SectionRow>
      <SectionRow title={t('settings.importData')} text={t('settings.importDataText')}>
        <Button onClick={() => fileInput.current?.click()}>{t('settings.import')}</Button>
        <input
          ref={fileInput}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label={t('settings.importData')}
          onChange={(event) => {
            const file = event.target.files?.[0]
            // Emptied, so that the same file can be chosen again.
            event.target.value = ''
            if (file) chats.importFrom(file)
          }}
        />
      </SectionRow>
      <SectionRow title={t('settings.deleteAll')} text={t('settings.deleteAllText')}>
        <Button disabled={isEmpty} busy={chats.isDeleting} onClick={chats.deleteAll}>
          {t('settings.delete')}
        </Button>
      </SectionRow>
    </>
  )
}

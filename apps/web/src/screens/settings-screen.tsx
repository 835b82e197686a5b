import '../i18n/later-texts'
import { useEffect, useRef } from 'react'
import { openLoginPanel } from '../data/session/login-panel'
import { useUser } from '../data/session/stored-session'
import { CreditsTab } from '../features/credits/credits-tab'
import { InvoicesList } from '../features/payments/invoices-list'
import { Purchase } from '../features/payments/purchase'
import { SupportSection } from '../features/settings/support-section'
import { settingsTabs, useSettingsTab } from '../features/settings/use-settings-tab'
import { useTranslation } from '../i18n/interface-language'
import { useLocation, useNavigate } from '../lib/router/router'
import { Skeleton } from '../ui/skeleton'
import { Tabs } from '../ui/tabs'
import { VisuallyHidden } from '../ui/visually-hidden'
import { GeneralTab } from './settings/general-tab'
import { SecurityTab } from './settings/security-tab'
import styles from './settings/settings.module.css'

export default function SettingsScreen() {
  const { t } = useTranslation()
  const user = useUser()
  useSignInFirst()
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <h1>{t('settings.title')}</h1>
        {user ? <SettingsTabs key={user.id} /> : <SettingsSkeleton />}
      </div>
    </div>
  )
}

/**
 * Settings belong to somebody. Whoever is not signed in is asked to, and comes back; a reset link in the address signs
 * in by itself.
 */
function useSignInFirst(): void {
  const navigate = useNavigate()
  const isSignedIn = useUser() !== undefined
  // Undefined when the person is on their way to another page and this one is still shown.
  const address = useLocation(({ pathname, href }) => (pathname === '/settings' ? href : undefined))
  const isRecovering = useLocation(({ hash }) => hash.startsWith('recovery='))
  const wasSignedIn = useRef(false)
  useEffect(() => {
    // Whose session ends here is on their way out: the page is about to be replaced.
    wasSignedIn.current ||= isSignedIn
    if (address === undefined || wasSignedIn.current || isRecovering) return
    openLoginPanel('sign-in', { returnTo: address })
    void navigate('/app', { replace: true })
  }, [isSignedIn, isRecovering, address, navigate])
}

function SettingsTabs() {
  const { t } = useTranslation()
  const [tab, select] = useSettingsTab()
  return (
    <Tabs
      label={t('settings.tabs')}
      tabs={settingsTabs.map((id) => ({ id, label: t(`settings.${id}`) }))}
      selected={tab}
      onSelect={select}
    >
      <div className={styles.tab}>
        {tab === 'general' && <GeneralTab />}
        {tab === 'security' && <SecurityTab />}
        {tab === 'credits' && <CreditsTab purchase={<Purchase />} invoices={<InvoicesList />} />}
        {tab === 'support' && <SupportSection />}
      </div>
    </Tabs>
  )
}

function SettingsSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={styles.tab} role="status">
      <VisuallyHidden>{t('settings.loading')}</VisuallyHidden>
      <Skeleton width="100%" height="44px" />
      <Skeleton width="100%" height="240px" />
    </div>
  )
}

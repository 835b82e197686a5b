import { HardDrive } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useDeviceStorage } from '../../data/channels/device-storage'
import { useConfig } from '../../data/config/use-config'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { lazyPart } from '../../ui/lazy-part'
import { LogoMark } from '../../ui/logo'
import { Tooltip } from '../../ui/tooltip'
import { AccountMenu } from './account-menu'
import { byteText } from './byte-text'
import { ContactRow } from './contact-row'
import { Credits } from './credits'
import styles from './sidebar-footer.module.css'
import { setDrawerOpen } from './sidebar-state'

const AboutDialog = lazyPart(() => import('./about-dialog'))

export function SidebarFooter({ isCompact }: { isCompact: boolean }) {
  const { t } = useTranslation()
  const contact = useConfig()?.contact
  const isSignedIn = useUser() !== undefined
  const [isAboutOpen, setIsAboutOpen] = useState(false)
  const about = (
    <button
      type="button"
      className={styles.about}
      onClick={() => setIsAboutOpen(true)}
      {...(isCompact ? { 'aria-label': t('shell.about') } : {})}
    >
      <LogoMark size={16} />
      {!isCompact && t('shell.about')}
    </button>
  )
  return (
    <footer className={styles.footer} data-compact={isCompact || undefined}>
      {!isCompact && <StorageLine />}
      {isCompact ? <Tooltip label={t('shell.about')}>{about}</Tooltip> : about}
      {!isCompact && contact && <ContactRow contact={contact} />}
      {isSignedIn && (
        <div className={styles.credits}>
          <Suspense>
            <Credits variant={isCompact ? 'compact' : 'sidebar'} onOpen={() => setDrawerOpen(false)} />
          </Suspense>
        </div>
      )}
      <AccountMenu isCompact={isCompact} />
      {isAboutOpen && (
        <Suspense>
          <AboutDialog onClose={() => setIsAboutOpen(false)} />
        </Suspense>
      )}
    </footer>
  )
}

function StorageLine() {
  const { t, language } = useTranslation()
  const storage = useDeviceStorage()
  if (!storage?.isNearlyFull) return null
  return (
    <p className={styles.storage} role="status">
      <HardDrive aria-hidden="true" />
      <span>
        {t('shell.storageNearlyFull', {
          used: byteText(storage.usedBytes, language),
          quota: byteText(storage.quotaBytes, language),
        })}
      </span>
    </p>
  )
}

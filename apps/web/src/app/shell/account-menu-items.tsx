import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { Keyboard, LogIn, LogOut, Settings, Sparkles } from 'lucide-react'
import { Suspense } from 'react'
import { useConfig } from '../../data/config/use-config'
import { openLoginPanel } from '../../data/session/login-panel'
import { AppearanceControls } from '../../features/settings/appearance-controls'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import styles from './account-menu.module.css'
import { Credits } from './credits'
import { openOverlay } from './overlay-state'
import { setDrawerOpen } from './sidebar-state'

/** What there is to do in the account's menu: it comes when that is opened. */
export default function AccountMenuItems({ user, close }: { user: User | undefined; close: () => void }) {
  const { t } = useTranslation()
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  /** What it leads to is not in the sidebar. */
  const leave = () => {
    close()
    setDrawerOpen(false)
  }
  const choose = (action: () => void) => () => {
    leave()
    action()
  }
  return (
    <>
      {user && (
        <Suspense fallback={<span className={styles.item} />}>
          <Credits variant="menu" className={styles.item} onOpen={leave} />
        </Suspense>
      )}
      {user && (
        <Link to="/settings" className={styles.item} onClick={leave}>
          <Settings aria-hidden="true" />
          {t('shell.settings')}
        </Link>
      )}
      {user && (
        <Link to="/assistants" className={styles.item} onClick={leave}>
          <Sparkles aria-hidden="true" />
          {t('shell.agents')}
        </Link>
      )}
      {!user && canSignIn && (
        <button type="button" className={styles.item} onClick={choose(() => openLoginPanel())}>
          <LogIn aria-hidden="true" />
          {t('shell.accountSignIn')}
        </button>
      )}
      <div className={styles.appearance}>
        <AppearanceControls />
      </div>
      <button type="button" className={styles.item} onClick={choose(() => openOverlay('shortcuts'))}>
        <Keyboard aria-hidden="true" />
        {t('shell.shortcuts')}
      </button>
      {user && (
        <button type="button" className={styles.item} onClick={choose(() => openOverlay('log-out'))}>
          <LogOut aria-hidden="true" />
          {t('shell.logOut')}
        </button>
      )}
    </>
  )
}

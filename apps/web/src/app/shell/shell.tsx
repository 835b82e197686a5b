import { useRef } from 'react'
import { useUserRefresh } from '../../data/auth/refresh-user'
import { ChannelDialogs } from '../../features/channels/channel-dialogs'
import { useChatNotices } from '../../features/chat/use-chat-notices'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Outlet } from '../../lib/router/outlet'
import { useLocation } from '../../lib/router/router'
import { media } from '../../ui/breakpoints'
import { ComingScreen } from '../../ui/coming-screen'
import { RegionBoundary } from '../../ui/region-boundary'
import { toast } from '../../ui/toast'
import { useMediaQuery } from '../../ui/use-media-query'
import { InitializationGuard } from './initialization-guard'
import { Overlays } from './overlays'
import styles from './shell.module.css'
import { Sidebar } from './sidebar'
import { setDrawerOpen, useSidebar } from './sidebar-state'
import { SignInHost } from './sign-in-host'
import { TopBar } from './top-bar'
import { useDocumentTitle } from './use-document-title'
import { useDrawer } from './use-drawer'
import { useShortcuts } from './use-shortcuts'
import { VaultGate } from './vault-gate'

/** What stays around the screens: sidebar, top bar, dialogs that open from anywhere, keys. */
export function Shell() {
  return (
    <VaultGate>
      <InitializationGuard>
        <OpenShell />
      </InitializationGuard>
    </VaultGate>
  )
}

/** Behind the lock: neither the names of chats nor keys that act on them are in front of it. */
function OpenShell() {
  const { t, language } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const { isOpen, isDrawerOpen } = useSidebar()
  const drawer = useRef<HTMLElement>(null)
  const main = useRef<HTMLElement>(null)
  const isDrawerShown = isNarrow && isDrawerOpen
  useDrawer(drawer, isDrawerShown)
  useShortcuts()
  useDocumentTitle()
  useChatNotices()
  const pathname = useLocation((location) => location.pathname)
  // Said here as well: the page begins anew in a moment, and may be slow to.
  useUserRefresh((reason) => toast.error(errorMessage(reason, language) ?? reason.message))

  return (
    <>
      <div
        className={styles.app}
        data-compact={(!isNarrow && !isOpen) || undefined}
        data-drawer={isDrawerShown || undefined}
      >
        <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
          {t('shell.skip')}
        </button>
        <nav ref={drawer} className={styles.sidebar} aria-label={t('shell.sidebar')} inert={isNarrow && !isDrawerOpen}>
          <RegionBoundary>
            <Sidebar isNarrow={isNarrow} isCompact={!isNarrow && !isOpen} />
          </RegionBoundary>
        </nav>
        {isDrawerShown && (
          <button
            type="button"
            className={styles.veil}
            aria-label={t('shell.closeMenu')}
            tabIndex={-1}
            onClick={() => setDrawerOpen(false)}
          />
        )}
        <main ref={main} className={styles.main} tabIndex={-1} inert={isDrawerShown}>
          <RegionBoundary resetKey={pathname} isQuiet>
            <TopBar isNarrow={isNarrow} />
          </RegionBoundary>
          <div className={styles.screen}>
            <RegionBoundary resetKey={pathname}>
              <Outlet coming={<ComingScreen />} />
            </RegionBoundary>
          </div>
        </main>
      </div>
      <RegionBoundary resetKey={pathname} isQuiet>
        <ChannelDialogs />
      </RegionBoundary>
      <RegionBoundary resetKey={pathname} isQuiet>
        <Overlays />
      </RegionBoundary>
      <RegionBoundary isQuiet>
        <SignInHost />
      </RegionBoundary>
    </>
  )
}

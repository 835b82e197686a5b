import { Outlet } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useUserRefresh } from '../../data/session/refresh-user'
import { ChannelDialogs } from '../../features/channels/channel-dialogs'
import { errorMessage } from '../../lib/error-message'
import { media } from '../../ui/breakpoints'
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
  const { t, i18n } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const { isOpen, isDrawerOpen } = useSidebar()
  const drawer = useRef<HTMLElement>(null)
  const main = useRef<HTMLElement>(null)
  const isDrawerShown = isNarrow && isDrawerOpen
  useDrawer(drawer, isDrawerShown)
  useShortcuts()
  useDocumentTitle()
  // Said here as well: the page begins anew in a moment, and may be slow to.
  useUserRefresh((reason) => toast.error(errorMessage(reason, i18n.language) ?? reason.message))

  return (
    <VaultGate>
      <InitializationGuard>
        <div className={styles.app} data-compact={(!isNarrow && !isOpen) || undefined} data-drawer={isDrawerShown || undefined}>
          <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
            {t('shell.skip')}
          </button>
          <nav ref={drawer} className={styles.sidebar} aria-label={t('shell.sidebar')} inert={isNarrow && !isDrawerOpen}>
            <Sidebar isNarrow={isNarrow} isCompact={!isNarrow && !isOpen} />
          </nav>
          {isDrawerShown && (
            <button type="button" className={styles.veil} aria-label={t('shell.closeMenu')} tabIndex={-1} onClick={() => setDrawerOpen(false)} />
          )}
          <main ref={main} className={styles.main} tabIndex={-1} inert={isDrawerShown}>
            <TopBar isNarrow={isNarrow} />
            <div className={styles.screen}>
              <Outlet />
            </div>
          </main>
        </div>
        <ChannelDialogs />
        <Overlays />
        <SignInHost />
      </InitializationGuard>
    </VaultGate>
  )
}

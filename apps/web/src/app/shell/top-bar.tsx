import { useLocation } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useConfig } from '../../data/config/use-config'
import { openLoginPanel } from '../../data/session/login-panel'
import { useUser } from '../../data/session/stored-session'
import { ChannelTitle } from '../../features/channels/channel-title'
import { ChannelTools } from '../../features/channels/later-channel-parts'
import { useSelectedChannelId } from '../../lib/selected-channel'
import { Button, IconButton } from '../../ui/button'
import { setDrawerOpen, useSidebar } from './sidebar-state'
import styles from './top-bar.module.css'

export function TopBar({ isNarrow }: { isNarrow: boolean }) {
  const { t } = useTranslation()
  const selectedId = useSelectedChannelId()
  const channel = useChannel(selectedId)
  const isChat = useLocation({ select: ({ pathname }) => pathname === '/app' })
  const isSignedIn = useUser() !== undefined
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  const isDrawerOpen = useSidebar((state) => state.isDrawerOpen)
  return (
    <header className={styles.bar}>
      {isNarrow && <IconButton label={t('shell.openMenu')} icon={Menu} aria-expanded={isDrawerOpen} onClick={() => setDrawerOpen(true)} />}
      <div className={styles.title}>{isChat && <ChannelTitle channelId={selectedId} />}</div>
      {!isSignedIn && canSignIn && (
        <Button size="small" variant="primary" onClick={() => openLoginPanel()}>
          {t('shell.signIn')}
        </Button>
      )}
      <Suspense>{channel && <ChannelTools channel={channel} isNarrow={isNarrow} />}</Suspense>
    </header>
  )
}

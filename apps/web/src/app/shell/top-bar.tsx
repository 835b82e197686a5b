import { Menu } from 'lucide-react'
import { Suspense } from 'react'
import { useChannel } from '../../data/channels/use-channels'
import { useConfig } from '../../data/config/use-config'
import { openLoginPanel } from '../../data/session/login-panel'
import { useUser } from '../../data/session/stored-session'
import { ChannelTitle } from '../../features/channels/channel-title'
import { ChannelTools } from '../../features/channels/later-channel-parts'
import { useTranslation } from '../../i18n/interface-language'
import { usePageData } from '../../lib/router/router'
import { useSelectedChannelId } from '../../lib/selected-channel'
import { Button, IconButton } from '../../ui/button'
import { lazyExtra } from '../../ui/lazy-part'
import { setDrawerOpen, useSidebar } from './sidebar-state'
import styles from './top-bar.module.css'

const OutlineButton = lazyExtra(() => import('../../features/outline/outline-button'))

export function TopBar({ isNarrow }: { isNarrow: boolean }) {
  const { t } = useTranslation()
  const selectedId = useSelectedChannelId()
  const channel = useChannel(selectedId)
  const isChat = usePageData('area') === 'chat'
  const isSignedIn = useUser() !== undefined
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0
  const isDrawerOpen = useSidebar((state) => state.isDrawerOpen)
  return (
    <header className={styles.bar}>
      {isNarrow && (
        <IconButton
          label={t('shell.openMenu')}
          icon={Menu}
          aria-expanded={isDrawerOpen}
          onClick={() => setDrawerOpen(true)}
        />
      )}
      <div className={styles.title}>{isChat && <ChannelTitle channelId={selectedId} />}</div>
      {!isSignedIn && canSignIn && (
        <Button size="small" variant="primary" onClick={() => openLoginPanel()}>
          {t('shell.signIn')}
        </Button>
      )}
      <Suspense>{channel && <OutlineButton />}</Suspense>
      <Suspense>{channel && <ChannelTools channel={channel} isNarrow={isNarrow} />}</Suspense>
    </header>
  )
}

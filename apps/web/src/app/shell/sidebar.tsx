import { product } from '@parley/contract/product'
import { MessagesSquare, PanelLeft, Sparkles, SquarePen } from 'lucide-react'
import { ChannelList } from '../../features/channels/channel-list'
import { StorageModeSwitch } from '../../features/channels/storage-mode-switch'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { usePageData } from '../../lib/router/router'
import { useSelectedChannelId } from '../../lib/selected-channel'
import { IconButton } from '../../ui/button'
import { Kbd } from '../../ui/kbd'
import { mod } from '../../ui/key-names'
import { LogoMark } from '../../ui/logo'
import { Tooltip } from '../../ui/tooltip'
import styles from './sidebar.module.css'
import { SidebarFooter } from './sidebar-footer'
import { setDrawerOpen, setSidebarOpen } from './sidebar-state'
import { useNewChat } from './use-new-chat'
import { useOpenAgents } from './use-open-agents'

type Props = { isNarrow: boolean; isCompact: boolean }

export function Sidebar({ isNarrow, isCompact }: Props) {
  const { t } = useTranslation()
  const closeDrawer = () => setDrawerOpen(false)
  return (
    <div className={styles.sidebar} data-compact={isCompact || undefined}>
      <div className={styles.head}>
        <Link
          to="/app"
          className={styles.logo}
          aria-label={t('shell.home', { product: product.name })}
          onClick={closeDrawer}
        >
          <LogoMark />
          {!isCompact && <span>{product.name}</span>}
        </Link>
        <IconButton
          label={t(isNarrow ? 'shell.closeMenu' : isCompact ? 'shell.expand' : 'shell.collapse')}
          icon={PanelLeft}
          aria-expanded={!isCompact}
          onClick={() => (isNarrow ? closeDrawer() : setSidebarOpen(isCompact))}
        />
      </div>
      <div hidden>
        <StorageModeSwitch />
      </div>
      <div className={styles.actions}>
        <NewChatButton isNarrow={isNarrow} isCompact={isCompact} />
        <AgentsButton isCompact={isCompact} />
        {isCompact && (
          <Tooltip label={t('shell.chats')}>
            <button
              type="button"
              className={styles.action}
              aria-label={t('shell.chats')}
              onClick={() => setSidebarOpen(true)}
            >
              <MessagesSquare aria-hidden="true" />
            </button>
          </Tooltip>
        )}
      </div>
      {isCompact ? <div className={styles.space} /> : <ChannelList onSelect={closeDrawer} />}
      <SidebarFooter isCompact={isCompact} />
    </div>
  )
}

function NewChatButton({ isNarrow, isCompact }: Props) {
  const { t } = useTranslation()
  const newChat = useNewChat()
  const isChat = usePageData('area') === 'chat'
  const isHome = useSelectedChannelId() === undefined && isChat
  const button = (
    <button
      type="button"
      className={styles.action}
      data-drawer-focus
      aria-current={isHome ? 'page' : undefined}
      {...(isCompact ? { 'aria-label': t('shell.newChat') } : {})}
      onClick={newChat}
    >
      <SquarePen aria-hidden="true" />
      {!isCompact && <span className={styles.grow}>{t('shell.newChat')}</span>}
      {!isCompact && !isNarrow && <Kbd>{`${mod} J`}</Kbd>}
    </button>
  )
  return isCompact ? <Tooltip label={t('shell.newChatKeys', { keys: `${mod} J` })}>{button}</Tooltip> : button
}

function AgentsButton({ isCompact }: { isCompact: boolean }) {
  const { t } = useTranslation()
  const open = useOpenAgents()
  const isHere = usePageData('area') === 'agents'
  const label = t('shell.agents')
  const button = (
    <button
      type="button"
      className={styles.action}
      aria-current={isHere ? 'page' : undefined}
      {...(isCompact ? { 'aria-label': label } : {})}
      onClick={open}
    >
      <Sparkles aria-hidden="true" />
      {!isCompact && <span className={styles.grow}>{label}</span>}
    </button>
  )
  return isCompact ? <Tooltip label={label}>{button}</Tooltip> : button
}

import type { Channel } from '@parley/contract/channels'
import { pages } from '@parley/contract/pages'
import { Ellipsis, Lock, LogOut, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, memo } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { IconButton } from '../../ui/button'
import { ChannelBadge } from './channel-badge'
import { channelCommands, deleteCommand } from './channel-commands'
import styles from './channel-row.module.css'
import { leaveCommand } from './sharing-commands'
import { useRunCommand } from './use-channel-commands'

type Props = {
  channel: Channel
  isSelected: boolean
  /** Only one row of the list is in the tab order; arrow keys reach the others. */
  isTabStop: boolean
  onSelect: () => void
  onOpenMenu: (channel: Channel, at: { x: number; y: number }) => void
}

export const ChannelRow = memo(function ChannelRow({ channel, isSelected, isTabStop, onSelect, onOpenMenu }: Props) {
  const { t } = useTranslation()
  const run = useRunCommand()
  const tabIndex = isTabStop ? 0 : -1

  function openMenu(event: MouseEvent<HTMLElement>) {
    event.preventDefault()
    // The context-menu key and a tap have no pointer position for the menu.
    const isPointer = event.type === 'contextmenu' && event.button === 2 && (event.clientX !== 0 || event.clientY !== 0)
    const box = event.currentTarget.getBoundingClientRect()
    onOpenMenu(
      channel,
      isPointer ? { x: event.clientX, y: event.clientY } : { x: Math.round(box.left + 24), y: Math.round(box.bottom) },
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const command = channelCommands.find(
      (candidate) => candidate.key === event.key && (candidate.isFor?.(channel) ?? true),
    )
    if (!command || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    run(command, channel)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link and the buttons inside are the controls; this only adds keys and the right click to them
    <div
      className={styles.row}
      data-channel-id={channel.id}
      data-entry-id={channel.id}
      data-selected={isSelected || undefined}
      onContextMenu={openMenu}
      onKeyDown={onKeyDown}
    >
      <Link
        to={`${pages.chat}#${channel.id}`}
        className={styles.link}
        tabIndex={tabIndex}
        title={channel.channelName}
        onClick={onSelect}
      >
        <span className={styles.name}>{channel.channelName}</span>
        <ChannelBadge channel={channel} />
      </Link>
      <span className={styles.more}>
        <IconButton
          label={t('channels.rowMenu', { name: channel.channelName })}
          icon={Ellipsis}
          size="small"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          onClick={openMenu}
        />
      </span>
      {channel.isLocked ? (
        <span className={styles.locked} role="img" aria-label={t('channels.locked')} title={t('channels.locked')}>
          <Lock aria-hidden="true" />
        </span>
      ) : (
        <span className={styles.delete}>
          <IconButton
            label={t(channel.role ? 'members.leaveNamed' : 'channels.deleteNamed', { name: channel.channelName })}
            icon={channel.role ? LogOut : Trash2}
            size="small"
            tabIndex={tabIndex}
            onClick={() => run(channel.role ? leaveCommand : deleteCommand, channel)}
          />
        </span>
      )}
    </div>
  )
})

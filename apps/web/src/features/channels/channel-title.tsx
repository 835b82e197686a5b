import { canKeep } from '../../data/channels/capabilities'
import { useIsNewChatTemporary } from '../../data/channels/new-chat'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { ChannelBadge } from './channel-badge'
import styles from './channel-title.module.css'

/** The heading of the chat screen: the open channel's name, or that of the new chat. */
export function ChannelTitle({ channelId }: { channelId: string | undefined }) {
  const { t } = useTranslation()
  const channel = useChannel(channelId)
  const isTemporary = useIsNewChatTemporary()
  if (!channelId) {
    return (
      <p className={styles.title}>
        <span className={styles.name}>{t(isTemporary ? 'shell.temporaryChat' : 'shell.newChat')}</span>
        <span className={styles.anonymous}>{t('shell.anonymous')}</span>
      </p>
    )
  }
  return (
    <div className={styles.title}>
      <h1 className={styles.name} title={channel?.channelName}>
        {channel?.channelName}
      </h1>
      {channel && (
        <span className={canKeep(channel) ? styles.saidBelow : styles.badge}>
          <ChannelBadge channel={channel} />
        </span>
      )}
    </div>
  )
}

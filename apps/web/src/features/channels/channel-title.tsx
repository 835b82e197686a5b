import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { ChannelBadge } from './channel-badge'
import styles from './channel-title.module.css'

/** The heading of the chat screen: the open channel, or the anonymous chat that is not yet a channel. */
export function ChannelTitle({ channelId }: { channelId: string | undefined }) {
  const { t } = useTranslation()
  const channel = useChannel(channelId)
  if (!channelId) {
    return (
      <p className={styles.title}>
        <span className={styles.name}>{t('shell.newChat')}</span>
        <span className={styles.anonymous}>{t('shell.anonymous')}</span>
      </p>
    )
  }
  return (
    <div className={styles.title}>
      <h1 className={styles.name} title={channel?.channelName}>
        {channel?.channelName}
      </h1>
      {channel && <ChannelBadge channel={channel} />}
    </div>
  )
}

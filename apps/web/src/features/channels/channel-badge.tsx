import { type Channel, isGuest, isShared } from '@parley/contract/channels'
import { Cloud, Lock, MessageCircleDashed, Users } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { Badge } from '../../ui/badge'

/** The home of a chat, as a word, a colour and an icon; a shared chat has an icon of people. */
export function ChannelBadge({ channel }: { channel: Pick<Channel, 'source' | 'role' | 'memberCount'> }) {
  const { t } = useTranslation()
  if (channel.source === 'memory')
    return (
      <Badge tone="plain" icon={MessageCircleDashed}>
        {t('channels.temporary')}
      </Badge>
    )
  return channel.source === 'indexeddb' ? (
    <Badge tone="local" icon={Lock}>
      {t('channels.local')}
    </Badge>
  ) : (
    <Badge tone="cloud" icon={isShared(channel) ? Users : Cloud}>
      {t(isGuest(channel) ? 'members.badge' : 'channels.server')}
    </Badge>
  )
}

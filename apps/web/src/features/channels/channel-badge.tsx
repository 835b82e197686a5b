import { type Channel, isGuest, isShared } from '@parley/contract/channels'
import { Cloud, Lock, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/badge'

/** Where a chat lives, in a word, a colour and an icon; people in the icon where several use it. */
export function ChannelBadge({ channel }: { channel: Pick<Channel, 'source' | 'role' | 'memberCount'> }) {
  const { t } = useTranslation()
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

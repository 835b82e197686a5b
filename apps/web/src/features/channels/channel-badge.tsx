import type { Channel } from '@parley/contract/channels'
import { Cloud, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/badge'

/** Where a chat lives, in a word, a colour and an icon. */
export function ChannelBadge({ channel }: { channel: Pick<Channel, 'source'> }) {
  const { t } = useTranslation()
  return channel.source === 'indexeddb' ? (
    <Badge tone="local" icon={Lock}>
      {t('channels.local')}
    </Badge>
  ) : (
    <Badge tone="cloud" icon={Cloud}>
      {t('channels.server')}
    </Badge>
  )
}

import type { Channel } from '@parley/contract/channels'
import { Ellipsis, Share } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/button'
import { Menu } from '../../ui/menu'
import { exportCommand } from './channel-commands'
import { useIsExporting } from './exports-running'
import { useChannelMenu, useRunCommand } from './use-channel-commands'

/** What the top bar offers for the open chat. */
export function ChannelTools({ channel, isNarrow }: { channel: Channel; isNarrow: boolean }) {
  const { t } = useTranslation()
  const run = useRunCommand()
  const itemsOf = useChannelMenu('tools')
  const isExporting = useIsExporting(channel.id)
  return (
    <>
      {!isNarrow && <IconButton label={t('channels.exportPdf')} icon={Share} disabled={isExporting} onClick={() => run(exportCommand, channel)} />}
      <Menu label={t('channels.tools')} icon={Ellipsis} align="end" items={itemsOf(channel)} />
    </>
  )
}

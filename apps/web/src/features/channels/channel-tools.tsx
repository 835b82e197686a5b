import '../../i18n/later-texts'
import type { Channel } from '@parley/contract/channels'
import { Ellipsis, Share } from 'lucide-react'
import { canKeep } from '../../data/channels/capabilities'
import { useTranslation } from '../../i18n/interface-language'
import { Button, IconButton } from '../../ui/button'
import { Menu } from '../../ui/menu'
import { exportCommand } from './channel-commands'
import { useIsExporting } from './exports-running'
import { keepCommand } from './keep-command'
import { useChannelMenu, useRunCommand } from './use-channel-commands'

/** The top bar's tools for the open chat. */
export function ChannelTools({ channel, isNarrow }: { channel: Channel; isNarrow: boolean }) {
  const { t } = useTranslation()
  const run = useRunCommand()
  const itemsOf = useChannelMenu('tools')
  const isExporting = useIsExporting(channel.id)
  return (
    <>
      {canKeep(channel) && <KeepButton channel={channel} isNarrow={isNarrow} />}
      {!isNarrow && (
        <IconButton
          label={t('channels.exportPdf')}
          icon={Share}
          disabled={isExporting}
          onClick={() => run(exportCommand, channel)}
        />
      )}
      <Menu label={t('channels.tools')} icon={Ellipsis} align="end" items={itemsOf(channel)} />
    </>
  )
}

/** On a narrow screen without its icon: the chat's name needs the room. */
function KeepButton({ channel, isNarrow }: { channel: Channel; isNarrow: boolean }) {
  const { t } = useTranslation()
  const run = useRunCommand()
  return (
    <Button
      size="small"
      {...(isNarrow ? {} : { icon: keepCommand.icon(channel) })}
      title={t('temporary.keepLong')}
      onClick={() => run(keepCommand, channel)}
    >
      {t('temporary.keep')}
    </Button>
  )
}

import { useChannelDialog } from './channel-dialog-state'
import { RenameChannelDialog } from './rename-channel-dialog'
import { TransferDialog } from './transfer-dialog'

/** The dialogs about channels, whoever opened them. */
export function ChannelDialogs() {
  const dialog = useChannelDialog()
  if (!dialog) return null
  return dialog.kind === 'rename' ? <RenameChannelDialog channelId={dialog.channelId} /> : <TransferDialog transfer={dialog} />
}

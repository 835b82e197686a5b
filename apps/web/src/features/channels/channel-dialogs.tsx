import { useChannelDialog } from './channel-dialog-state'
import { MembersDialog } from './members-dialog'
import { RenameChannelDialog } from './rename-channel-dialog'
import { TransferDialog } from './transfer-dialog'

/** The dialogs about channels, whoever opened them. */
export function ChannelDialogs() {
  const dialog = useChannelDialog()
  if (!dialog) return null
  switch (dialog.kind) {
    case 'rename':
      return <RenameChannelDialog channelId={dialog.channelId} />
    case 'members':
      return <MembersDialog channelId={dialog.channelId} />
    case 'transfer':
      return <TransferDialog transfer={dialog} />
  }
}

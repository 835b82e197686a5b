import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part'
import { type ChannelDialog, useChannelDialog } from './channel-dialog-state'

const MembersDialog = lazyPart(() => import('./members-dialog'))
const RenameChannelDialog = lazyPart(() => import('./rename-channel-dialog'))
const TransferDialog = lazyPart(() => import('./transfer-dialog'))

/** Draws the open dialog about channels; each is loaded when it is first opened. */
export function ChannelDialogs() {
  const dialog = useChannelDialog()
  return <Suspense>{dialog && <OpenDialog dialog={dialog} />}</Suspense>
}

function OpenDialog({ dialog }: { dialog: ChannelDialog }) {
  switch (dialog.kind) {
    case 'rename':
      return <RenameChannelDialog channelId={dialog.channelId} />
    case 'members':
      return <MembersDialog channelId={dialog.channelId} />
    case 'transfer':
      return <TransferDialog transfer={dialog} />
  }
}

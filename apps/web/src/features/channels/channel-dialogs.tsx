import { Suspense } from 'react'
import { lazyPart } from '../../ui/lazy-part'
import { type ChannelDialog, useChannelDialog } from './channel-dialog-state'

const MembersDialog = lazyPart(() => import('./members-dialog'))
const RenameChannelDialog = lazyPart(() => import('./rename-channel-dialog'))
const TransferDialog = lazyPart(() => import('./transfer-dialog'))

/** The dialogs about channels, whoever opened them; loaded when first asked for. */
export function ChannelDialogs() {
  const dialog = useChannelDialog()
  return <Suspense>{dialog && <Shown dialog={dialog} />}</Suspense>
}

function Shown({ dialog }: { dialog: ChannelDialog }) {
  switch (dialog.kind) {
    case 'rename':
      return <RenameChannelDialog channelId={dialog.channelId} />
    case 'members':
      return <MembersDialog channelId={dialog.channelId} />
    case 'transfer':
      return <TransferDialog transfer={dialog} />
  }
}

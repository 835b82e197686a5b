import { lazy, Suspense } from 'react'
import { type ChannelDialog, useChannelDialog } from './channel-dialog-state'

const MembersDialog = lazy(() => import('./members-dialog'))
const RenameChannelDialog = lazy(() => import('./rename-channel-dialog'))
const TransferDialog = lazy(() => import('./transfer-dialog'))

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

import AddDialog from './add-dialog'
import ManageDialog from './manage-dialog'

export default function SourceDialogs({ kind, channelId }: { kind: 'add' | 'manage'; channelId: string }) {
  return kind === 'add' ? <AddDialog channelId={channelId} /> : <ManageDialog channelId={channelId} />
}

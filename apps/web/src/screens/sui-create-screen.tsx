import { SuiCreate } from '../features/agent-editor/sui-create'
import { useSuiAuthor } from './use-sui-author'

export default function SuiCreateScreen() {
  const { user, leave } = useSuiAuthor()
  return user && <SuiCreate user={user} onClose={leave} />
}

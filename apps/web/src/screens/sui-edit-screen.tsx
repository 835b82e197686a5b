import { SuiEdit } from '../features/agent-editor/sui-edit'
import { useParam } from '../lib/router/router'
import { useSuiAuthor } from './use-sui-author'

export default function SuiEditScreen() {
  const assistantId = useParam('assistantId')
  const { user, leave } = useSuiAuthor()
  return user && <SuiEdit id={assistantId} user={user} onClose={leave} />
}

import { useParams } from '@tanstack/react-router'
import { SuiEdit } from '../features/agent-editor/sui-edit'
import { useSuiAuthor } from './use-sui-author'

export default function SuiEditScreen() {
  const { assistantId } = useParams({ from: '/shell/agents/sui-assistant/edit/$assistantId' })
  const { user, leave } = useSuiAuthor()
  return user && <SuiEdit id={assistantId} user={user} onClose={leave} />
}

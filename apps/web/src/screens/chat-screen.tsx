import { UnknownChannelGuard } from '../features/channels/unknown-channel-guard'
import { ChatView } from '../features/chat/chat-view'
import { NewChatHome } from '../features/chat/new-chat-home'
import { useSelectedChannelId } from '../lib/selected-channel'

export function ChatScreen() {
  const channelId = useSelectedChannelId()
  if (!channelId) return <NewChatHome />
  return (
    <>
      <UnknownChannelGuard channelId={channelId} />
      <ChatView key={channelId} channelId={channelId} />
    </>
  )
}

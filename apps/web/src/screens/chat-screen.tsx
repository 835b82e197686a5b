import { Suspense, useEffect } from 'react'
import { startChat } from '../data/chat/chat-engine'
import { useModelRequest } from '../data/models/model-request'
import { AgentPick } from '../features/agent-picker/agent-pick'
import { preloadChannelParts } from '../features/channels/later-channel-parts'
import { UnknownChannelGuard } from '../features/channels/unknown-channel-guard'
import { NewChatHome } from '../features/chat/new-chat-home'
import { ModelPick } from '../features/models/model-pick'
import { useOutlineOpen } from '../features/outline/outline-state'
import { Attach } from '../features/sources/attach'
import { useFirstSign } from '../lib/first-sign'
import { useOpenCitation } from '../lib/open-citation'
import { channelIdOf, useSelectedChannelId } from '../lib/selected-channel'
import { lazyExtra, lazyPart } from '../ui/lazy-part'
import { preloadMarkdown } from '../ui/markdown/later-markdown'

const loadChatView = () => import('../features/chat/chat-view')
const ChatView = lazyPart(async () => ({ default: (await loadChatView()).ChatView }), untilMarkdownIsLoaded)
const OutlinePanel = lazyPart(() => import('../features/outline/outline-panel'))
const SourcePanel = lazyPart(() => import('../features/sources/source-panel'))

const RequestedModel = lazyPart(() => import('../features/models/requested-model'))

const tools = (
  <>
    <AgentPick />
    <ModelPick />
  </>
)

/** What a composer has of sources. */
const sources = {
  Attach,
  Bar: lazyExtra(() => import('../features/sources/sources-bar')),
  Wait: lazyExtra(() => import('../features/sources/sources-wait')),
}

export function ChatScreen() {
  const channelId = useSelectedChannelId()
  const isOutlineOpen = useOutlineOpen()
  useEffect(() => startChat(), [])
  usePreloadedChat()
  const request = useModelRequest()
  const citation = useOpenCitation()
  // One panel at a time stands beside the chat.
  const opened = citation?.channelId === channelId ? citation : undefined
  if (!channelId) return <NewChatHome tools={tools} sources={sources} />
  return (
    <>
      <UnknownChannelGuard channelId={channelId} />
      <Suspense>
        <ChatView key={channelId} channelId={channelId} tools={tools} sources={sources} />
      </Suspense>
      <Suspense>{request && <RequestedModel request={request} />}</Suspense>
      <Suspense>{isOutlineOpen && !opened && <OutlinePanel channelId={channelId} />}</Suspense>
      <Suspense>{opened && <SourcePanel open={opened} />}</Suspense>
    </>
  )
}

/** The page opens with a chat, in which something has been said. */
const opensWithChat = channelIdOf(location.hash) !== undefined
/** React shows what it has drawn for so long before it draws something else in its place. */
const longestWaitMs = 300

/** The answers of the chat that the page opens with are drawn once, not as raw text first. */
async function untilMarkdownIsLoaded(): Promise<void> {
  if (opensWithChat)
    await Promise.race([preloadMarkdown(), new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
}

/**
 * A chat is what opens next: it loads at the first sign of the person, and is there before the first question is
 * written.
 */
function usePreloadedChat(): void {
  const hasSign = useFirstSign()
  useEffect(() => {
    if (!hasSign) return
    // A failure shows where the chat is asked for.
    loadChatView().catch(() => undefined)
    void preloadChannelParts()
    void preloadMarkdown()
  }, [hasSign])
}

import { Suspense, useState } from 'react'
import { createPortal } from 'react-dom'
import { useChannelAgent } from '../../data/agents/channel-agent'
import { type ChosenAgent, chooseAgent, useChosenAgent, useChosenAgentId } from '../../data/agents/chosen-agent'
import { useRequireLogin } from '../../data/auth/require-login'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { useNavigate } from '../../lib/router/router'
import { useSelectChannel, useSelectedChannelId } from '../../lib/selected-channel'
import { AgentFace } from '../../ui/agent-face'
import { Avatar } from '../../ui/avatar'
import { media } from '../../ui/breakpoints'
import { lazyPart } from '../../ui/lazy-part'
import { PickButton } from '../../ui/pick-button'
import { useMediaQuery } from '../../ui/use-media-query'

const AgentDialog = lazyPart(() => import('./agent-dialog'))

/**
 * The button with the chat's agent, which opens the picker. A chat keeps its agent: choosing another one starts a new
 * chat.
 */
export function AgentPick() {
  const { t } = useTranslation()
  const channelId = useSelectedChannelId()
  const { id, agent } = useCurrentAgent(channelId)
  const isNarrow = useMediaQuery(media.narrow)
  const requireLogin = useRequireLogin()
  const navigate = useNavigate()
  const select = useSelectChannel()
  const [isOpen, setIsOpen] = useState(false)

  function open() {
    if (!requireLogin()) return
    if (isNarrow) void navigate('/assistants')
    else setIsOpen(true)
  }

  function choose(next: ChosenAgent | undefined) {
    setIsOpen(false)
    if (channelId !== undefined && next?._id === id) return
    chooseAgent(next)
    if (channelId !== undefined) select(undefined)
  }

  return (
    <>
      <PickButton
        face={
          id === undefined ? (
            <Avatar seed="parley" name="" size={18} />
          ) : (
            <AgentFace src={agent?.profileImage ?? ''} size={18} />
          )
        }
        label={t('chat.someAgent')}
        value={agent?.name ?? t(id === undefined ? 'chat.agent' : 'chat.someAgent')}
        aria-haspopup={isNarrow ? undefined : 'dialog'}
        onClick={open}
      />
      {/* A portal, so that Enter does not submit the composer's form. */}
      {createPortal(
        <Suspense>
          {isOpen && <AgentDialog currentId={id} onChoose={choose} onClose={() => setIsOpen(false)} />}
        </Suspense>,
        document.body,
      )}
    </>
  )
}

/** The open channel's agent, else the one of the next new chat; without an id it is the general assistant. */
function useCurrentAgent(channelId: string | undefined): { id: string | undefined; agent: ChosenAgent | undefined } {
  const channel = useChannel(channelId)
  const ofChannel = useChannelAgent(channel?.assistantId)
  const chosenId = useChosenAgentId()
  const chosen = useChosenAgent()
  if (channelId === undefined) return { id: chosenId, agent: chosen.agent }
  return { id: channel?.assistantId ?? undefined, agent: ofChannel.agent }
}

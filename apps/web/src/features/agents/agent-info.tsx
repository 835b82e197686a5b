import '../../i18n/later-texts'
import { agentPath, agentTexts, type SeenAgent } from '@parley/contract/agents'
import { pages } from '@parley/contract/pages'
import { Copy, Heart, MessageCircle, MessageSquare, Share2 } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useAgentsOfCreator } from '../../data/agents/agent'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import { useAgentTopics } from '../../data/agents/agent-topics'
import { startChatWith } from '../../data/agents/start-chat'
import { useRequireLogin } from '../../data/auth/require-login'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { pathTo } from '../../lib/router/location'
import { useLocation } from '../../lib/router/router'
import { useSelectChannel } from '../../lib/selected-channel'
import { AgentFace } from '../../ui/agent-face'
import { BoldText } from '../../ui/bold-text'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { lazyPart } from '../../ui/lazy-part'
import styles from './agent-info.module.css'
import { useCreatorName } from './creator'
import { LikeButton, useCount } from './like-button'
import { useShareAgent } from './use-share-agent'

const SuiHistorySection = lazyPart(() => import('./sui-history'))

/**
 * The dialog about an agent: what it does, its creator and the creator's other agents. It starts a chat with the agent.
 */
export function AgentInfo({ agent, onClose }: { agent: SeenAgent; onClose: () => void }) {
  const { t, language } = useTranslation()
  const { role, about } = agentTexts(agent, language)
  const heading = role === '' ? agent.name : role
  const { others, count } = useOthers(agent)
  const head = useRef<HTMLDivElement>(null)
  useFocusOnSwitch(agent._id, head)
  const [forgedId, setForgedId] = useState<string>()
  return (
    <Dialog
      title={heading}
      onClose={onClose}
      head={
        <div ref={head} tabIndex={-1} className={styles.head}>
          <AgentFace src={agent.profileImage} size={84} />
          <div className={styles.who}>
            <p className={styles.name}>
              <bdi>{agent.name}</bdi>
            </p>
            <h2>
              <bdi>{heading}</bdi>
            </h2>
            <CreatedBy agent={agent} />
            <div className={styles.facts}>
              <LikeButton agent={agent} />
              <span>
                <b>{useCount(count)}</b> {t('agents.inProductivity')}
              </span>
            </div>
          </div>
        </div>
      }
    >
      <p dir="auto" className={styles.about}>
        {about.trim() === '' ? t('agents.noAbout') : about}
      </p>
      <Actions agent={agent} isForged={forgedId === agent._id} />
      {agent.sui && (
        <Suspense>
          <SuiHistorySection
            key={agent._id}
            agent={agent}
            onForged={(isForged) => setForgedId(isForged ? agent._id : undefined)}
          />
        </Suspense>
      )}
      <Topics agentId={agent._id} />
      <More agent={agent} others={others} />
    </Dialog>
  )
}

function CreatedBy({ agent }: { agent: SeenAgent }) {
  const { t } = useTranslation()
  return (
    <p className={styles.creator}>
      <BoldText text={t('agents.createdBy', { name: useCreatorName(agent) })} />
    </p>
  )
}

/** The creator's other agents. */
function useOthers({ _id, source, userId }: SeenAgent) {
  const { agents, total } = useAgentsOfCreator(source === 'product' ? null : (userId ?? ''))
  const others = agents?.filter((other) => other._id !== _id) ?? []
  return { others, count: total - ((agents?.length ?? 0) - others.length) }
}

/** Another agent in the same dialog: the clicked card disappears, so that the focus has to be moved. */
function useFocusOnSwitch(id: string, head: { readonly current: HTMLElement | null }): void {
  const shown = useRef(id)
  useEffect(() => {
    if (shown.current === id) return
    shown.current = id
    head.current?.focus()
    head.current?.closest('dialog')?.querySelector('[data-dialog-body]')?.scrollTo({ top: 0 })
  }, [id, head])
}

/** No chat starts with an agent that fails verification. */
function Actions({ agent, isForged }: { agent: SeenAgent; isForged: boolean }) {
  const { t } = useTranslation()
  const userId = useUser()?.id
  const requireLogin = useRequireLogin({ returnTo: agentPath(agent._id) })
  const select = useSelectChannel()
  const share = useShareAgent(agent)
  const takesChats = agent.enabled || (userId !== undefined && agent.userId === userId)
  const start = () => {
    if (!requireLogin()) return
    startChatWith(agent)
    select(undefined)
  }
  return (
    <>
      {!takesChats && (
        <p className={styles.fine} role="note">
          {t('agents.takesNoChats')}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          data-autofocus=""
          variant={isForged ? 'quiet' : 'primary'}
          size="large"
          icon={MessageCircle}
          disabled={!takesChats}
          onClick={start}
        >
          {t('agents.startChat')}
        </Button>
        <Button size="large" icon={Share2} onClick={() => void share()}>
          {t('agents.share')}
        </Button>
        {userId !== undefined && (
          <IconButton
            className={styles.copy}
            icon={Copy}
            label={t('agents.copyAgent', { name: agent.name })}
            onClick={() => openAgentEditor({ kind: 'duplicate', id: agent._id })}
          />
        )}
      </div>
    </>
  )
}

function Topics({ agentId }: { agentId: string }) {
  const { t } = useTranslation()
  const topics = useAgentTopics(agentId)
  const select = useSelectChannel()
  if (!topics?.length) return null
  return (
    <section className={styles.section} aria-label={t('agents.topics')}>
      <h3>{t('agents.topics')}</h3>
      <ul className={styles.rows}>
        {topics.map(({ channelId, subject }) => (
          <li key={channelId}>
            <button type="button" className={styles.row} onClick={() => select(channelId)}>
              <MessageSquare aria-hidden="true" />
              <bdi className={styles.label}>{subject}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The number of cards in view. */
const fewOthers = 4

function More({ agent, others }: { agent: SeenAgent; others: readonly SeenAgent[] }) {
  const { t } = useTranslation()
  const creator = useCreatorName(agent)
  const [unfolded, setUnfolded] = useState<string>()
  if (others.length === 0) return null
  const isFolded = others.length > fewOthers && unfolded !== agent._id
  return (
    <section className={styles.section} aria-label={t('agents.moreOf', { name: creator })}>
      <h3>{t('agents.more')}</h3>
      <ul className={styles.rows}>
        {(isFolded ? others.slice(0, fewOthers) : others).map((other) => (
          <li key={other._id}>
            <OtherRow agent={other} />
          </li>
        ))}
      </ul>
      {isFolded && (
        <Button
          size="small"
          variant="quiet"
          aria-label={t('agents.seeAllOf', { list: t('agents.more') })}
          onClick={() => setUnfolded(agent._id)}
        >
          {t('agents.seeAll')} ({others.length})
        </Button>
      )}
    </section>
  )
}

function OtherRow({ agent }: { agent: SeenAgent }) {
  const { t } = useTranslation()
  // Back returns to the page where the first agent was opened.
  const isFromList = useLocation(({ state }) => state.isFromList ?? false)
  const formatted = useCount(agent.likes)
  return (
    <Link
      to={pathTo(pages.assistant, { assistantId: agent._id })}
      state={{ isFromList }}
      replace
      className={styles.row}
    >
      <AgentFace src={agent.profileImage} size={34} />
      <bdi className={styles.label}>{agent.name}</bdi>
      <span className={styles.likes} role="img" aria-label={t('agents.likes', { count: agent.likes, formatted })}>
        <Heart aria-hidden="true" />
        {formatted}
      </span>
    </Link>
  )
}

import '../../i18n/later-texts'
import { agentPath, agentTexts, type SeenAgent } from '@parley/contract/agents'
import { pages } from '@parley/contract/pages'
import { Lock, PowerOff, Share2, SquarePen } from 'lucide-react'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import { useRequireLogin } from '../../data/auth/require-login'
import { useConfig } from '../../data/config/use-config'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { pathTo } from '../../lib/router/location'
import { useNavigate } from '../../lib/router/router'
import { AgentFace } from '../../ui/agent-face'
import { Badge } from '../../ui/badge'
import { IconButton } from '../../ui/button'
import styles from './agent-card.module.css'
import { Creator } from './creator'
import { LikeButton, LikeCount } from './like-button'
import { useShareAgent } from './use-share-agent'

export type CardLayout = 'horizontal' | 'vertical'

type Props = {
  agent: SeenAgent
  layout: CardLayout
  /** The edit button of the person's own agents. */
  canEdit?: boolean
}

/** The card of an agent in a list. The whole card is a link; like, share and edit are separate buttons. */
export function AgentCard(props: Props) {
  return props.agent.source === 'sui' && props.agent.name === '' ? (
    <PrivateCard agent={props.agent} />
  ) : (
    <OpenCard {...props} />
  )
}

/** A private agent of another person's wallet: only signer, date and likes are shown. */
function PrivateCard({ agent }: Pick<Props, 'agent'>) {
  const { t } = useTranslation()
  return (
    <article className={styles.card} data-inactive="">
      <span className={styles.lock}>
        <Lock aria-hidden="true" />
      </span>
      <div className={styles.words}>
        <h3>{t('suiAgents.private')}</h3>
        <p>{t('suiAgents.privateWhy')}</p>
      </div>
      <footer className={styles.foot}>
        <span className={styles.facts}>
          <Signer agent={agent} />
        </span>
        <span className={styles.tools}>
          <LikeCount likes={agent.likes} />
        </span>
      </footer>
    </article>
  )
}

/** The wallet, and the version that is shown. */
function Signer({ agent: { sui, userName, name, private: isPrivate } }: Pick<Props, 'agent'>) {
  const { t, language } = useTranslation()
  const isAnchored = useConfig()?.suiAnchoring !== undefined && sui?.isAnchored
  if (!sui) return null
  const { version } = sui
  const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(new Date(sui.signedAt))
  const signed = isAnchored ? t('suiAgents.anchor.card', { version }) : t('suiAgents.version', { version, date })
  return (
    <span className={styles.signer}>
      <span className={styles.address} title={sui.address}>
        {userName}
      </span>
      {/* Only for the person's own agents: other private ones have no texts anyway. */}
      <span>{isPrivate && name !== '' ? t('suiAgents.versionPrivate', { version }) : signed}</span>
    </span>
  )
}

function OpenCard({ agent, layout, canEdit = false }: Props) {
  const { t, language } = useTranslation()
  const userId = useUser()?.id
  const requireLogin = useRequireLogin({ returnTo: agentPath(agent._id) })
  const share = useShareAgent(agent)
  const navigate = useNavigate()
  const { role } = agentTexts(agent, language)
  const isOwn = userId !== undefined && agent.userId === userId
  return (
    <article className={styles.card} data-layout={layout} data-inactive={!agent.enabled || undefined}>
      <AgentFace src={agent.profileImage} size={layout === 'vertical' ? 76 : 52} />
      <div className={styles.words}>
        <h3>
          <Link
            to={pathTo(pages.assistant, { assistantId: agent._id })}
            state={{ isFromList: true }}
            className={styles.link}
            onClick={(event) => !requireLogin() && event.preventDefault()}
          >
            <bdi>{agent.name}</bdi>
          </Link>
        </h3>
        <p>
          <bdi>{role}</bdi>
        </p>
      </div>
      <footer className={styles.foot}>
        <span className={styles.facts}>
          {agent.sui ? <Signer agent={agent} /> : <Creator agent={agent} />}
          {isOwn && agent.private && !agent.sui && (
            <Badge tone="plain" icon={Lock}>
              {t('agents.private')}
            </Badge>
          )}
          {isOwn && !agent.enabled && (
            <Badge tone="warn" icon={PowerOff}>
              {t('agents.inactive')}
            </Badge>
          )}
        </span>
        <span className={styles.tools}>
          <LikeButton agent={agent} />
          {!agent.private && (
            <IconButton
              size="small"
              icon={Share2}
              label={t('agents.shareAgent', { name: agent.name })}
              onClick={() => void share()}
            />
          )}
          {canEdit && isOwn && (
            <IconButton
              size="small"
              icon={SquarePen}
              label={t('agents.editAgent', { name: agent.name })}
              onClick={() =>
                agent.sui
                  ? void navigate(pathTo(pages.suiEdit, { assistantId: agent._id }))
                  : openAgentEditor({ kind: 'edit', id: agent._id })
              }
            />
          )}
        </span>
      </footer>
    </article>
  )
}

import '../../i18n/later-texts'
import { agentPath, type SeenAgent } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { Heart } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useLike } from '../../data/agents/agent-likes'
import { useConfig } from '../../data/config/use-config'
import { useRequireLogin } from '../../data/session/require-login'
import { useUser } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import styles from './like-button.module.css'

/** How many like an agent, and whether one does oneself. */
export function LikeButton({ agent }: { agent: SeenAgent }) {
  const { t, i18n } = useTranslation()
  const requireLogin = useRequireLogin({ returnTo: agentPath(agent._id) })
  const language = i18n.language
  const tell = useCallback((error: AppError) => toast.error(errorMessage(error, language) ?? error.message), [language])
  const { likes, isLiked, isBusy, toggle } = useLike(agent, tell)
  const canLike = useCanLike()
  const formatted = useCount(likes)
  const counted = t('agents.likes', { count: likes, formatted })

  if (!canLike) return <LikeCount likes={likes} />
  return (
    <button
      type="button"
      className={styles.like}
      aria-pressed={isLiked}
      aria-busy={isBusy || undefined}
      aria-label={t('agents.likeCounted', { name: agent.name, likes: counted })}
      onClick={() => requireLogin() && toggle()}
    >
      <Heart aria-hidden="true" />
      <span>{formatted}</span>
    </button>
  )
}

/** How many like an agent that one cannot like. */
export function LikeCount({ likes }: { likes: number }) {
  const { t } = useTranslation()
  const formatted = useCount(likes)
  return (
    <span className={styles.like}>
      <Heart aria-hidden="true" />
      <span aria-hidden="true">{formatted}</span>
      <span className={styles.words}>{t('agents.likes', { count: likes, formatted })}</span>
    </span>
  )
}

/** Where nobody can sign in, nobody has an account to like with. */
function useCanLike(): boolean {
  const isSignedIn = useUser() !== undefined
  const config = useConfig()
  return isSignedIn || (config?.signInMethods.length ?? 0) > 0
}

/** An exact number as this language writes it. */
export function useCount(count: number): string {
  const { i18n } = useTranslation()
  return new Intl.NumberFormat(i18n.language).format(count)
}

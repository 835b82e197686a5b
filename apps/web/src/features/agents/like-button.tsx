import '../../i18n/later-texts'
import { agentPath, type SeenAgent } from '@parley/contract/agents'
import type { AppError } from '@parley/contract/errors'
import { Heart } from 'lucide-react'
import { useCallback } from 'react'
import { useLike } from '../../data/agents/agent-likes'
import { useRequireLogin } from '../../data/auth/require-login'
import { useConfig } from '../../data/config/use-config'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import styles from './like-button.module.css'

/** The like count with a button that toggles the person's own like. */
export function LikeButton({ agent }: { agent: SeenAgent }) {
  const { t, language } = useTranslation()
  const requireLogin = useRequireLogin({ returnTo: agentPath(agent._id) })
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

/** The like count of an agent that this person cannot like. */
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

/** Without sign-in methods no account exists that could like. */
function useCanLike(): boolean {
  const isSignedIn = useUser() !== undefined
  const config = useConfig()
  return isSignedIn || (config?.signInMethods.length ?? 0) > 0
}

/** An exact number in the format of the language. */
export function useCount(count: number): string {
  const { language } = useTranslation()
  return new Intl.NumberFormat(language).format(count)
}

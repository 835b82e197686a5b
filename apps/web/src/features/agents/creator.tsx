import '../../i18n/later-texts'
import type { SeenAgent } from '@parley/contract/agents'
import { BadgeCheck } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { Avatar } from '../../ui/avatar'
import styles from './creator.module.css'

/** The creator of an agent; the product's own agents have a badge. */
export function Creator({ agent }: { agent: SeenAgent }) {
  const name = useCreatorName(agent)
  return (
    <span className={styles.creator}>
      {agent.source === 'product' ? (
        <BadgeCheck aria-hidden="true" />
      ) : (
        <Avatar seed={agent.userId ?? agent._id} name="" size={16} />
      )}
      <bdi className={styles.name}>{name}</bdi>
    </span>
  )
}

export function useCreatorName({ userName }: SeenAgent): string {
  const { t } = useTranslation()
  return userName === '' ? t('agents.formerMember') : userName
}

import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useTranslation } from '../../i18n/interface-language'
import { personName } from '../../lib/shown-person'
import { Avatar } from '../../ui/avatar'
import styles from './editor.module.css'

/** The name under which the agent is published. */
export function PublishingAs({ user }: { user: User }) {
  const { t } = useTranslation()
  return (
    <p className={styles.publishingAs}>
      <span className={styles.words}>{t('agentEditor.publishingAs')}</span>
      <Avatar seed={user.id} name="" size={26} picture={user.user_metadata.picture} />
      <b className={styles.words}>
        <bdi>{personName(user)}</bdi>
      </b>
    </p>
  )
}

import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { useTranslation } from 'react-i18next'
import { personName } from '../../lib/shown-person'
import { Avatar } from '../../ui/avatar'
import styles from './editor.module.css'

/** In whose name an agent is published. */
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

import '../../i18n/later-texts'
import { isWeb3, type User } from '@parley/contract/users'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Section } from '../../ui/section'
import styles from './form.module.css'
import { PasswordForm } from './password-form'

/** `isRecovering`: the person opened a reset link. */
export function PasswordSection({ user, isRecovering }: { user: User; isRecovering: boolean }) {
  const { t } = useTranslation()
  const [isDone, setIsDone] = useState(false)
  if (isWeb3(user)) {
    return (
      <Section title={t('settings.password')}>
        <p className={styles.explanation}>{t('settings.walletNoPassword')}</p>
      </Section>
    )
  }
  if (!user.has_password && !isRecovering) return <FirstPassword user={user} />
  return (
    <Section title={t('settings.password')} text={t('settings.passwordText')}>
      {isRecovering && !isDone && (
        <div className={styles.notice} role="status">
          <KeyRound aria-hidden="true" />
          <p>
            <strong>{t('settings.recover')}</strong>
            {t('settings.recoverText')}
          </p>
        </div>
      )}
      <PasswordForm user={user} onDone={() => setIsDone(true)} />
    </Section>
  )
}

function FirstPassword({ user }: { user: User }) {
  const { t } = useTranslation()
  const [isSetting, setIsSetting] = useState(false)
  return (
    <Section title={t('settings.password')}>
      <p className={styles.explanation}>{t('settings.googleNoPassword')}</p>
      {isSetting ? (
        <PasswordForm user={user} />
      ) : (
        <div>
          <Button onClick={() => setIsSetting(true)}>{t('settings.setPassword')}</Button>
        </div>
      )}
    </Section>
  )
}

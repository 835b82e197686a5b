import '../../i18n/later-texts'
import { MailCheck } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import styles from './auth.module.css'
import { mailboxOf } from './mailbox'
import { showView } from './show-view'

/** Shown after a reset mail was requested. */
export function CheckMailView({ email }: { email: string }) {
  const { t } = useTranslation()
  const mailbox = mailboxOf(email)
  return (
    <div className={styles.sent}>
      <MailCheck aria-hidden="true" />
      <p role="status">{t('auth.checkMailText', { email })}</p>
      {mailbox && (
        <Button variant="primary" size="large" wide onClick={() => window.open(mailbox, '_blank', 'noopener')}>
          {t('auth.openMail')}
        </Button>
      )}
      <button type="button" className={styles.link} data-autofocus onClick={() => showView('sign-in')}>
        {t('auth.backToLogin')}
      </button>
    </div>
  )
}

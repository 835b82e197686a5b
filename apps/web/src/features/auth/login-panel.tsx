import '../../i18n/later-texts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeLoginPanel, type LoginView } from '../../data/session/login-panel'
import { Dialog } from '../../ui/dialog'
import styles from './auth.module.css'
import { CheckMailView } from './check-mail-view'
import { Providers } from './providers'
import { RecoverView } from './recover-view'
import { RegisterView } from './register-view'
import { SignInView } from './sign-in-view'

const titles = { 'sign-in': 'auth.signInTitle', register: 'auth.registerTitle', recover: 'auth.recoverTitle', sent: 'auth.checkMailTitle' } as const
const texts = { 'sign-in': 'auth.signInText', register: 'auth.registerText', recover: 'auth.recoverText' } as const

/** Sign in, create an account, or recover a forgotten password: one panel, and the address stays typed between them. */
export default function LoginPanel({ view: wanted }: { view: LoginView }) {
  const { t } = useTranslation()
  const panel = useRef<HTMLDivElement>(null)
  const [email, setEmail] = useState('')
  /** Of the view in which the mail was asked for: leaving it is the end of it. */
  const [sentIn, setSentIn] = useState<LoginView>()
  if (sentIn !== undefined && sentIn !== wanted) setSentIn(undefined)
  const view = sentIn === wanted ? 'sent' : wanted

  // The dialog itself looks for the first field when it opens.
  useEffect(() => panel.current?.querySelector<HTMLElement>(`[data-view=${view}] [data-autofocus]`)?.focus(), [view])

  return (
    <Dialog title={t(titles[view])} isPanel onClose={closeLoginPanel}>
      <div ref={panel} className={styles.panel}>
        <div key={view} data-view={view} className={styles.view}>
          {view !== 'sent' && <p className={styles.lead}>{t(texts[view])}</p>}
          {(view === 'sign-in' || view === 'register') && (
            <>
              <Providers />
              <p className={styles.or}>{t('auth.or')}</p>
            </>
          )}
          {view === 'sign-in' && <SignInView email={email} onEmail={setEmail} />}
          {view === 'register' && <RegisterView email={email} onEmail={setEmail} />}
          {view === 'recover' && <RecoverView email={email} onEmail={setEmail} onSent={() => setSentIn('recover')} />}
          {view === 'sent' && <CheckMailView email={email.trim()} />}
        </div>
        <p className={styles.terms}>{t('auth.terms')}</p>
      </div>
    </Dialog>
  )
}

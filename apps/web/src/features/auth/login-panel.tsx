import '../../i18n/later-texts'
import { useEffect, useRef, useState } from 'react'
import { closeLoginPanel, type LoginView } from '../../data/session/login-panel'
import { useTranslation } from '../../i18n/interface-language'
import { Dialog } from '../../ui/dialog'
import styles from './auth.module.css'
import { CheckMailView } from './check-mail-view'
import { Providers } from './providers'
import { RecoverView } from './recover-view'
import { RegisterView } from './register-view'
import { SignInView } from './sign-in-view'

const titles = {
  'sign-in': 'auth.signInTitle',
  register: 'auth.registerTitle',
  recover: 'auth.recoverTitle',
  sent: 'auth.checkMailTitle',
} as const
const texts = { 'sign-in': 'auth.signInText', register: 'auth.registerText', recover: 'auth.recoverText' } as const

/** The panel with the views sign-in, registration and recovery, which share the typed address. */
export default function LoginPanel({ view: wanted }: { view: LoginView }) {
  const { t } = useTranslation()
  const panel = useRef<HTMLDivElement>(null)
  const [email, setEmail] = useState('')
  /** The view in which the mail was requested: leaving it ends the note about the mail. */
  const [sentIn, setSentIn] = useState<LoginView>()
  if (sentIn !== undefined && sentIn !== wanted) setSentIn(undefined)
  const view = sentIn === wanted ? 'sent' : wanted

  // The dialog itself focuses the first field when it opens.
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

import '../../i18n/later-texts'
import { isEmail } from '@parley/contract/auth'
import { type FormEvent, useState } from 'react'
import { login, resendConfirmation } from '../../data/auth/credentials'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './auth.module.css'
import { EmailInput } from './email-input'
import { PasswordInput } from './password-input'
import { showView } from './show-view'
import { explainLogin } from './sign-in-error'
import { useProblem } from './use-problem'
import { useSignIn } from './use-sign-in'

type Props = { email: string; onEmail: (email: string) => void }

export function SignInView({ email, onEmail }: Props) {
  const { t, language } = useTranslation()
  const signIn = useSignIn()
  const { form, problem, explain, forget, errorOf } = useProblem()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState<'login' | 'resend'>()
  const address = email.trim()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!isEmail(address)) return explain({ text: t('auth.invalidEmail'), field: 'email' })
    if (password === '') return explain({ text: t('auth.passwordNeeded'), field: 'password' })
    setBusy('login')
    forget()
    try {
      await signIn(await login(address, password))
    } catch (error) {
      explain(explainLogin(error, { t, language }))
      setBusy(undefined)
    }
  }

  async function resend() {
    if (busy) return
    setBusy('resend')
    try {
      await resendConfirmation(address)
      forget()
      toast.success(t('auth.emailSent'))
    } catch (error) {
      explain({ ...explainLogin(error, { t, language }), canResend: true })
    } finally {
      setBusy(undefined)
    }
  }

  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    forget()
  }
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field label={t('auth.email')} {...errorOf('email')}>
        <EmailInput value={email} onChange={change(onEmail)} />
      </Field>
      <Field label={t('auth.password')} {...errorOf('password')}>
        <PasswordInput autoComplete="current-password" value={password} onChange={change(setPassword)} />
      </Field>
      <button type="button" className={styles.link} onClick={() => showView('recover')}>
        {t('auth.forgotPassword')}
      </button>
      {problem && !problem.field && (
        <div className={styles.problem} role="alert">
          <p>{problem.text}</p>
          {problem.canResend && (
            <Button size="small" busy={busy === 'resend'} onClick={() => void resend()}>
              {t('auth.resend')}
            </Button>
          )}
        </div>
      )}
      <Button variant="primary" size="large" wide type="submit" busy={busy === 'login'}>
        {t('auth.signIn')}
      </Button>
      <p className={styles.toggle}>
        {t('auth.noAccount')}{' '}
        <button type="button" className={styles.link} onClick={() => showView('register')}>
          {t('auth.getStarted')}
        </button>
      </p>
    </form>
  )
}

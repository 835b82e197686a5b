import '../../i18n/later-texts'
import { checkPassword, isEmail } from '@parley/contract/auth'
import { errorText } from '@parley/contract/errors'
import { type FormEvent, useState } from 'react'
import { login, register } from '../../data/auth/credentials'
import { closeLoginPanel } from '../../data/session/login-panel'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './auth.module.css'
import { CheckLine } from './check-line'
import { EmailInput } from './email-input'
import { mailboxOf } from './mailbox'
import { PasswordChecklist } from './password-checklist'
import { PasswordInput } from './password-input'
import { showView } from './show-view'
import { explainRegistration } from './sign-in-error'
import { useProblem } from './use-problem'
import { useSignIn } from './use-sign-in'

type Props = { email: string; onEmail: (email: string) => void }

export function RegisterView({ email, onEmail }: Props) {
  const { t, language } = useTranslation()
  const signIn = useSignIn()
  const { form, problem, explain, forget, errorOf } = useProblem()
  const [password, setPassword] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const address = email.trim()
  const hasEmail = isEmail(address)
  const { isValid, errors } = checkPassword(password)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (!hasEmail) return explain({ text: t('auth.invalidEmail'), field: 'email' })
    // The first unmet requirement; the checklist shows all.
    if (!isValid)
      return explain({
        text: errors[0] ? t(`auth.${errors[0]}Error`) : errorText('auth.password-weak', language),
        field: 'password',
      })
    setIsBusy(true)
    forget()
    try {
      await create()
    } catch (error) {
      explain(explainRegistration(error, { t, language }))
      setIsBusy(false)
    }
  }

  async function create(): Promise<void> {
    if (await register(address, password, language)) {
      const mailbox = mailboxOf(address)
      const open = (): void => void (mailbox && window.open(mailbox, '_blank', 'noopener'))
      toast.notice(t('auth.createdConfirm'), { label: t('auth.ok'), run: open })
      return closeLoginPanel()
    }
    await signIn(await login(address, password))
    toast.success(t('auth.created'))
  }

  const change = (set: (value: string) => void) => (value: string) => {
    set(value)
    forget()
  }
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field label={t('auth.email')} {...errorOf('email')}>
        <EmailInput value={email} onChange={change(onEmail)} />
        {problem?.field !== 'email' && (
          <span className={styles.live} aria-live="polite">
            {address !== '' && (
              <CheckLine isMet={hasEmail}>{t(hasEmail ? 'auth.validEmail' : 'auth.invalidEmail')}</CheckLine>
            )}
          </span>
        )}
      </Field>
      <Field label={t('auth.password')} {...errorOf('password')}>
        <PasswordInput autoComplete="new-password" value={password} onChange={change(setPassword)} />
      </Field>
      <PasswordChecklist password={password} />
      <p className={styles.summary} role="status" data-good={(hasEmail && isValid) || undefined}>
        {t(hasEmail && isValid ? 'auth.ready' : 'auth.incomplete')}
      </p>
      {problem && !problem.field && (
        <p className={styles.problem} role="alert">
          {problem.text}
        </p>
      )}
      <Button variant="primary" size="large" wide type="submit" busy={isBusy}>
        {t('auth.createAccount')}
      </Button>
      <p className={styles.toggle}>
        {t('auth.haveAccount')}{' '}
        <button type="button" className={styles.link} onClick={() => showView('sign-in')}>
          {t('auth.signIn')}
        </button>
      </p>
    </form>
  )
}

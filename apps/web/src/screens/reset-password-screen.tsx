import '../i18n/later-texts'
import { checkPassword } from '@parley/contract/auth'
import { AppError, errorText } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type FormEvent, useEffect, useState } from 'react'
import { confirmReset } from '../data/auth/credentials'
import { openLoginPanel } from '../data/session/login-panel'
import styles from '../features/auth/auth.module.css'
import { PasswordChecklist } from '../features/auth/password-checklist'
import { PasswordInput } from '../features/auth/password-input'
import type { Translate } from '../i18n/interface-language'
import { useTranslation } from '../i18n/interface-language'
import { useLocation, useNavigate } from '../lib/router/router'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { Logo } from '../ui/logo'

type State = { name: 'idle' | 'loading' } | { name: 'success' | 'error'; text: string }

/** The reset link of the mail: a one-time password by mail, or a new one chosen here. */
export default function ResetPasswordScreen() {
  const { t, language } = useTranslation()
  const navigate = useNavigate()
  const tokenOfAddress = useLocation(tokenIn)
  const [token, setToken] = useState(tokenOfAddress)
  const [state, setState] = useState<State>(
    token === '' ? { name: 'error', text: t('auth.resetMissing') } : { name: 'idle' },
  )
  const [isChoosing, setIsChoosing] = useState(false)
  const [password, setPassword] = useState('')

  // Out of the address at once: it stays neither in the history nor on a screen that is shown to others.
  useEffect(() => {
    if (tokenOfAddress === '') return
    setToken(tokenOfAddress)
    setState({ name: 'idle' })
    void navigate('/reset-password', { replace: true })
  }, [tokenOfAddress, navigate])

  const isReady = token !== '' && (!isChoosing || checkPassword(password).isValid)

  async function confirm(event: FormEvent) {
    event.preventDefault()
    if (!isReady || state.name === 'loading') return
    setState({ name: 'loading' })
    try {
      await confirmReset(token, isChoosing ? password : undefined)
      setState({ name: 'success', text: t(isChoosing ? 'auth.resetChanged' : 'auth.resetDone') })
    } catch (error) {
      setState({ name: 'error', text: failureText(error, t, language) })
    }
  }

  return (
    <div className={styles.page}>
      <form className={styles.card} onSubmit={(event) => void confirm(event)} noValidate>
        <Logo />
        <h1>{t('auth.resetTitle')}</h1>
        {state.name === 'success' ? (
          <Done text={state.text} />
        ) : (
          <>
            <p className={styles.lead}>{t(isChoosing ? 'auth.resetChooseText' : 'auth.resetText')}</p>
            {isChoosing && (
              <div className={styles.form}>
                <Field label={t('auth.newPassword')}>
                  <PasswordInput autoFocus autoComplete="new-password" value={password} onChange={setPassword} />
                </Field>
                <PasswordChecklist password={password} />
              </div>
            )}
            {state.name === 'error' && <Failure text={state.text} />}
            <Button
              variant="primary"
              size="large"
              wide
              type="submit"
              busy={state.name === 'loading'}
              disabled={!isReady}
            >
              {t('auth.resetConfirm')}
            </Button>
            {token !== '' && (
              <button
                type="button"
                className={styles.link}
                aria-expanded={isChoosing}
                onClick={() => setIsChoosing(!isChoosing)}
              >
                {t(isChoosing ? 'auth.resetOneTime' : 'auth.resetChoose')}
              </button>
            )}
          </>
        )}
      </form>
    </div>
  )
}

/** In the fragment, which never reaches a server; older mails have it in the query. */
function tokenIn({ hash, search }: { hash: string; search: string }): string {
  return new URLSearchParams(hash).get('token') ?? new URLSearchParams(search).get('token') ?? ''
}

function Failure({ text }: { text: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const askAgain = () => {
    openLoginPanel('recover')
    void navigate('/app')
  }
  return (
    <div className={styles.problem} role="alert">
      <p>{text}</p>
      <Button size="small" onClick={askAgain}>
        {t('auth.resetAskAgain')}
      </Button>
    </div>
  )
}

/** Goes on to the sign-in by itself, after time to read. */
function Done({ text }: { text: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [seconds, setSeconds] = useState(webLimits.auth.resetRedirectMs / 1_000)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((left) => left - 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (seconds <= 0) void navigate('/login')
  }, [seconds, navigate])
  return (
    <>
      <p className={styles.good} role="status">
        {text}
      </p>
      <p className={styles.lead}>
        {t('auth.resetToLogin', { count: Math.max(0, seconds) })}{' '}
        <button type="button" className={styles.link} onClick={() => void navigate('/login')}>
          {t('auth.resetGoNow')}
        </button>
      </p>
    </>
  )
}

function failureText(error: unknown, t: Translate, language: string): string {
  if (!(error instanceof AppError)) return t('auth.resetError')
  if (error.code === 'network') return t('auth.resetNetwork')
  return error.code.startsWith('auth.') || error.code === 'rate-limited'
    ? errorText(error.code, language)
    : t('auth.resetError')
}

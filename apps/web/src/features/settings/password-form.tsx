import '../../i18n/later-texts'
import { checkPassword } from '@parley/contract/auth'
import { AppError, errorText } from '@parley/contract/errors'
import type { User } from '@parley/contract/users'
import { type FormEvent, useState } from 'react'
import { changePassword } from '../../data/auth/account'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import styles from './form.module.css'
import { PasswordField } from './password-field'

type Problems = { current?: string; next?: string }

/**
 * The form of a new password, typed twice. The server requires the current one when the sign-in is not recent: then a
 * field for it appears and the form is sent again.
 */
export function PasswordForm({ user, onDone }: { user: User; onDone?: () => void }) {
  const { t, language } = useTranslation()
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  /** Undefined until the server requires it. */
  const [current, setCurrent] = useState<string>()
  const [isComparing, setIsComparing] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [isTooOld, setIsTooOld] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const canSave = next !== '' && next === repeated && current !== ''
  const differs = isComparing && repeated !== '' && next !== repeated

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!canSave || isBusy) return
    const { isValid, errors } = checkPassword(next)
    if (!isValid) {
      setProblems({ next: errors[0] ? t(`auth.${errors[0]}Error`) : errorText('auth.password-weak', language) })
      return
    }
    setIsBusy(true)
    try {
      await changePassword(next, current)
      setNext('')
      setRepeated('')
      setCurrent(undefined)
      setProblems({})
      toast.success(t('settings.passwordUpdated'))
      onDone?.()
    } catch (error) {
      explain(error)
    } finally {
      setIsBusy(false)
    }
  }

  function explain(error: unknown): void {
    const { code, status } = error instanceof AppError ? error : new AppError('unknown')
    const said = errorMessage(error, language)
    if (code === 'auth.reauthenticate') {
      if (user.has_password) setCurrent('')
      // Only another sign-in can prove the person's identity.
      else setIsTooOld(true)
    } else if (code === 'auth.wrong-password' && said) setProblems({ current: said })
    else if (code === 'auth.password-weak' && said) setProblems({ next: said })
    else toast.error(said && code !== 'unknown' && status < 500 ? said : t('settings.failed'))
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      {/* For the browser's password manager, which stores passwords by user name. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <div className={styles.fields}>
        <PasswordField
          label={t('settings.newPassword')}
          autoComplete="new-password"
          hint={t('settings.passwordHint')}
          error={problems.next}
          value={next}
          onChange={(value) => {
            setNext(value)
            setProblems({ ...problems, next: '' })
          }}
        />
        <PasswordField
          label={t('settings.confirmPassword')}
          autoComplete="new-password"
          error={differs ? t('settings.passwordsDiffer') : undefined}
          value={repeated}
          onChange={setRepeated}
          onBlur={() => setIsComparing(true)}
        />
        {current !== undefined && (
          <PasswordField
            label={t('settings.currentPassword')}
            autoComplete="current-password"
            hint={t('settings.currentPasswordText')}
            autoFocus
            error={problems.current}
            value={current}
            onChange={(value) => {
              setCurrent(value)
              setProblems({ ...problems, current: '' })
            }}
          />
        )}
      </div>
      {isTooOld && (
        <p className={styles.notice} role="alert">
          {t('settings.googleSignInAgain')}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="primary" type="submit" busy={isBusy} disabled={!canSave}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  )
}

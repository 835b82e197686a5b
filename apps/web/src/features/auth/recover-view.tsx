import '../../i18n/later-texts'
import { type FormEvent, useState } from 'react'
import { requestReset } from '../../data/auth/credentials'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './auth.module.css'
import { EmailInput } from './email-input'
import { showView } from './show-view'
import { explainReset } from './sign-in-error'
import { useProblem } from './use-problem'

type Props = { email: string; onEmail: (email: string) => void; onSent: () => void }

export function RecoverView({ email, onEmail, onSent }: Props) {
  const { t, language } = useTranslation()
  const { form, explain, forget, errorOf } = useProblem()
  const [isBusy, setIsBusy] = useState(false)
  const address = email.trim()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (address === '' || isBusy) return
    setIsBusy(true)
    forget()
    try {
      await requestReset(address)
      toast.success(t('auth.emailSent'))
      onSent()
    } catch (error) {
      explain({ ...explainReset(error, { t, language }), field: 'email' })
      setIsBusy(false)
    }
  }

  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field label={t('auth.email')} {...errorOf('email')}>
        <EmailInput
          value={email}
          onChange={(value) => {
            onEmail(value)
            forget()
          }}
        />
      </Field>
      <Button variant="primary" size="large" wide type="submit" busy={isBusy}>
        {t('auth.sendLink')}
      </Button>
      <p className={styles.toggle}>
        <button type="button" className={styles.link} onClick={() => showView('sign-in')}>
          {t('auth.backToLogin')}
        </button>
      </p>
    </form>
  )
}

import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { type FormEvent, useId, useState } from 'react'
import { useConfig } from '../../data/config/use-config'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { useTranslation } from '../../i18n/interface-language'
import { useNavigate } from '../../lib/router/router'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import styles from './credits.module.css'

/** Explains why the question was not sent, and leads to the purchase where credits are sold. */
export default function NoCreditsDialog() {
  const { t, language } = useTranslation()
  const navigate = useNavigate()
  const config = useConfig()
  const formId = useId()
  const [value, setValue] = useState(String(limits.payments.minDollars))
  // An unreachable server may sell credits.
  const isSold = !config || (config.payments?.methods.length ?? 0) > 0

  function buy(event: FormEvent) {
    event.preventDefault()
    closeNoCredits()
    void navigate(`/settings?tab=credits&pay=${value.replace(/\.$/, '')}`)
  }

  const later = (
    <Button variant={isSold ? 'quiet' : 'primary'} onClick={closeNoCredits}>
      {t('credits.later')}
    </Button>
  )
  return (
    <Dialog
      title={t('credits.shortTitle')}
      size="small"
      onClose={closeNoCredits}
      footer={
        isSold ? (
          <>
            {later}
            <Button variant="primary" type="submit" form={formId}>
              {t('credits.continue')}
            </Button>
          </>
        ) : (
          later
        )
      }
    >
      <div className={styles.texts}>
        <p>{errorText('credits.not-enough', language)}</p>
        <p>{errorText('credits.minimum', language)}</p>
        {!isSold && <p>{t('credits.noneSold')}</p>}
      </div>
      {isSold && (
        <form id={formId} className={styles.form} onSubmit={buy}>
          <Field label={t('credits.value')}>
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              value={value}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => setValue(dollarsTyped(target.value))}
            />
          </Field>
        </form>
      )}
    </Dialog>
  )
}

/** The typed amount; 0 for anything but a number. A trailing point may be waiting for its digits. */
function dollarsTyped(text: string): string {
  const typed = text.trim().replace(',', '.')
  return /^\d+\.?\d*$/.test(typed) ? typed.replace(/^0+(?=\d)/, '') : '0'
}

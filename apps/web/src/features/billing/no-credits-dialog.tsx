import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeNoCredits } from '../../data/billing/no-credits-state'
import { useConfig } from '../../data/config/use-config'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import styles from './credits.module.css'

/** Why nothing was sent, and the way to buy credits where they are sold. */
export default function NoCreditsDialog() {
  const { t, i18n } = useTranslation()
  const { history } = useRouter()
  const config = useConfig()
  const formId = useId()
  const [value, setValue] = useState(String(limits.payments.minDollars))
  // A server that cannot be asked now may sell them.
  const isSold = !config || (config.payments?.methods.length ?? 0) > 0

  function buy(event: FormEvent) {
    event.preventDefault()
    closeNoCredits()
    history.push(`/settings?tab=credits&pay=${value.replace(/\.$/, '')}`)
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
        <p>{errorText('credits.not-enough', i18n.language)}</p>
        <p>{errorText('credits.minimum', i18n.language)}</p>
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

/** What is no number is 0. A point may still be waiting for its digits. */
function dollarsTyped(text: string): string {
  const typed = text.trim().replace(',', '.')
  return /^\d+\.?\d*$/.test(typed) ? typed.replace(/^0+(?=\d)/, '') : '0'
}

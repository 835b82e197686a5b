import '../../i18n/later-texts'
import type { PaymentOffer } from '@parley/contract/config'
import { useTranslation } from 'react-i18next'
import { roundDollars } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import styles from './buy-credits.module.css'
import { typedAmount } from './typed-amount'

const quickAmounts = ['5', '10', '25', '50']

type Props = { text: string; onChange: (text: string) => void; offer: PaymentOffer; error: string | undefined }

/** Dollars: typed, or one of the usual amounts. */
export function AmountField({ text, onChange, offer, error }: Props) {
  const { t, i18n } = useTranslation()
  return (
    <div className={styles.amount}>
      <Field
        label={t('payments.amount')}
        hint={t('payments.amountHint', { least: roundDollars(offer.minDollars, i18n.language), most: roundDollars(offer.maxDollars, i18n.language) })}
        {...(error === undefined ? {} : { error })}
      >
        <TextInput
          className={styles.input}
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          onChange={({ target: { value, validity } }) => onChange(typedAmount(text, { value, isUnreadable: validity.badInput }))}
          // A number field counts on when the page is scrolled above it.
          onWheel={(event) => event.currentTarget.blur()}
        />
      </Field>
      <fieldset className={styles.quick} aria-label={t('payments.quick')}>
        {quickAmounts.map((each) => (
          <Button key={each} size="small" aria-pressed={text === each} onClick={() => onChange(each)}>
            {roundDollars(Number(each), i18n.language)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

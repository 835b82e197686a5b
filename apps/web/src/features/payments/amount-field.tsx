import '../../i18n/later-texts'
import type { PaymentOffer } from '@parley/contract/config'
import { useTranslation } from '../../i18n/interface-language'
import { roundDollars } from '../../lib/dollar-text'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import styles from './buy-credits.module.css'
import { typedAmount } from './typed-amount'

const quickAmounts = ['5', '10', '25', '50']

type Props = { text: string; onChange: (text: string) => void; offer: PaymentOffer; error: string | undefined }

/** The amount in dollars: typed, or one of the presets. */
export function AmountField({ text, onChange, offer, error }: Props) {
  const { t, language } = useTranslation()
  return (
    <div className={styles.amount}>
      <Field
        label={t('payments.amount')}
        hint={t('payments.amountHint', {
          least: roundDollars(offer.minDollars, language),
          most: roundDollars(offer.maxDollars, language),
        })}
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
          onChange={({ target: { value, validity } }) =>
            onChange(typedAmount(text, { value, isUnreadable: validity.badInput }))
          }
          // Scrolling over a focused number field would change its value.
          onWheel={(event) => event.currentTarget.blur()}
        />
      </Field>
      <fieldset className={styles.quick} aria-label={t('payments.quick')}>
        {quickAmounts.map((each) => (
          <Button key={each} size="small" aria-pressed={text === each} onClick={() => onChange(each)}>
            {roundDollars(Number(each), language)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

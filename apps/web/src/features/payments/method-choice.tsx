import '../../i18n/later-texts'
import type { PaymentMethod } from '@parley/contract/payments'
import { CreditCard, type LucideIcon, QrCode, Wallet } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './buy-credits.module.css'

const looks = {
  pix: { icon: QrCode, name: 'payments.pix', text: 'payments.pixText' },
  card: { icon: CreditCard, name: 'payments.card', text: 'payments.cardText' },
  token: { icon: Wallet, name: 'payments.token', text: 'payments.tokenText' },
} as const satisfies Record<PaymentMethod, { icon: LucideIcon; name: string; text: string }>

type Props = {
  methods: readonly PaymentMethod[]
  chosen: PaymentMethod | undefined
  onChange: (method: PaymentMethod) => void
  error: string | undefined
}

/** The server's payment methods; none is preselected where there are several. */
export function MethodChoice({ methods, chosen, onChange, error }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className={styles.methods} aria-describedby={error === undefined ? undefined : id}>
      <legend>{t('payments.method')}</legend>
      {methods.map((method) => {
        const { icon: Icon, name, text } = looks[method]
        return (
          <label key={method} className={styles.method}>
            <input
              type="radio"
              name={`${id}-method`}
              checked={method === chosen}
              onChange={() => onChange(method)}
              aria-label={t(name)}
            />
            <Icon aria-hidden="true" />
            <span className={styles.name}>{t(name)}</span>
            <span className={styles.fine}>{t(text)}</span>
          </label>
        )
      })}
      {error !== undefined && (
        <p id={id} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

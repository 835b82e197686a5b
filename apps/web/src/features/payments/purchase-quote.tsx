import '../../i18n/later-texts'
import type { PaymentOffer } from '@parley/contract/config'
import { centsAt, formatCents, type Nano, noMoney, parseDollars, parseRate, tokensAt } from '@parley/contract/money'
import type { PaymentMethod } from '@parley/contract/payments'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { exactDollars, flooredDollars, tokenText } from '../../lib/dollar-text'
import styles from './buy-credits.module.css'
import { realText } from './real-text'

type Props = { text: string; method: PaymentMethod | undefined; offer: PaymentOffer }

/** The price of the purchase, in the method's currency. */
export function PurchaseQuote({ text, method, offer }: Props) {
  const { t, language } = useTranslation()
  const amount = parseDollars(text)
  const quote =
    amount === undefined || amount === noMoney || method === undefined
      ? undefined
      : quoteOf(amount, method, { offer, t, language })
  return (
    <dl className={styles.quote} aria-live="polite">
      <dt>{t('payments.youPay')}</dt>
      <dd>{quote?.total ?? '–'}</dd>
      <dd className={styles.fine}>{quote?.rate ?? t('payments.noQuote')}</dd>
    </dl>
  )
}

type Context = { offer: PaymentOffer; t: Translate; language: string }

function quoteOf(
  amount: Nano,
  method: PaymentMethod,
  { offer, t, language }: Context,
): { total: string; rate: string } | undefined {
  if (method === 'card')
    return { total: flooredDollars(amount, { decimals: 2, language }), rate: t('payments.rateCard') }
  const rate = parseRate(method === 'pix' ? offer.usdBrlRate : offer.aizUsdPrice)
  if (rate === undefined) return undefined
  return method === 'pix'
    ? {
        total: realText(formatCents(centsAt(amount, rate)), language),
        rate: t('payments.ratePix', { rate: rateText(offer.usdBrlRate, language) }),
      }
    : {
        total: `${tokenText(tokensAt(amount, rate), language)} AIZ`,
        rate: t('payments.rateToken', { price: exactDollars(offer.aizUsdPrice ?? '', language) }),
      }
}

/** With all digits: it need not be whole cents. */
function rateText(rate: string | undefined, language: string): string {
  const decimal = (rate ?? '') as `${number}`
  return `R$\u00a0${new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(decimal)}`
}

import '../../i18n/later-texts'
import type { Model } from '@parley/contract/models'
import { parsePrice, shortPrice } from '../../data/models/token-price'
import { useTranslation } from '../../i18n/interface-language'
import { writtenDollars } from '../../lib/dollar-text'
import styles from './models.module.css'

/** The price of a million tokens of an answer. A free model has a badge instead. */
export function ModelPrice({ model }: { model: Model }) {
  const { t, language } = useTranslation()
  const written = model.pricing?.completion
  if (model.free || written === undefined) return null
  const price = parsePrice(written)
  return (
    <span className={styles.price}>
      <b>{price === undefined ? t('models.varies') : writtenDollars(shortPrice(price), language)}</b>
      {price !== undefined && <span>{t('models.perMillion')}</span>}
    </span>
  )
}

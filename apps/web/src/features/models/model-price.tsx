import '../../i18n/later-texts'
import type { Model } from '@parley/contract/models'
import { useTranslation } from 'react-i18next'
import { parsePrice, shortPrice } from '../../data/models/token-price'
import { writtenDollars } from '../../lib/dollar-text'
import styles from './models.module.css'

/** What a million tokens of an answer cost. What is free has a badge, and no price. */
export function ModelPrice({ model }: { model: Model }) {
  const { t, i18n } = useTranslation()
  const written = model.pricing?.completion
  if (model.free || written === undefined) return null
  const price = parsePrice(written)
  return (
    <span className={styles.price}>
      <b>{price === undefined ? t('models.varies') : writtenDollars(shortPrice(price), i18n.language)}</b>
      {price !== undefined && <span>{t('models.perMillion')}</span>}
    </span>
  )
}

import '../../i18n/later-texts'
import { useTranslation } from '../../i18n/interface-language'
import { spentDollars } from '../../lib/dollar-text'
import styles from './spending.module.css'
import { barLength, type ModelSpent, mostOf, sumOf } from './spending-sums'
import { Total } from './spending-total'

/** More models are summed up in one row. */
const maxBars = 8

/** A bar chart of the models, the most expensive first. */
export function ModelBars({ models, dayCount }: { models: readonly ModelSpent[]; dayCount: number }) {
  const { t, language } = useTranslation()
  const others = models.length > maxBars ? models.slice(maxBars - 1) : []
  const shown = models.slice(0, models.length - others.length)
  const lines =
    others.length === 0
      ? shown
      : [...shown, { model: t('billing.otherModels', { count: others.length }), ...sumOf(others) }]
  const most = mostOf(lines)
  return (
    <div>
      <Total spent={sumOf(models)} dayCount={dayCount} />
      <ol className={styles.models}>
        {lines.map(({ model, amount, answers }) => (
          <li key={model}>
            <span className={styles.model} title={model}>
              {model}
            </span>
            <span className={styles.answers}>{t('billing.answers', { count: answers })}</span>
            <b>{spentDollars(amount, language)}</b>
            <span className={styles.line} aria-hidden="true" style={{ width: `${barLength(amount, most) * 100}%` }} />
          </li>
        ))}
      </ol>
    </div>
  )
}

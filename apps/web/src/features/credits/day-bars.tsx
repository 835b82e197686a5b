import '../../i18n/later-texts'
import { noMoney } from '@parley/contract/money'
import { type CSSProperties, type PointerEvent, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { isRtl } from '../../lib/direction'
import { spentDollars } from '../../lib/dollar-text'
import styles from './spending.module.css'
import { barLength, type DaySpent, mostOf, sumOf } from './spending-sums'
import { Total } from './spending-total'

/** The number of recent days that are highlighted. */
const recentDays = 4

/**
 * A bar chart of the days. Pointing at a bar, or the slider by touch and keyboard, shows one day; otherwise the sum is
 * shown.
 */
export function DayBars({ days }: { days: readonly DaySpent[] }) {
  const { t, language } = useTranslation()
  const [at, setAt] = useState<number>()
  const dateOf = useDates(days.at(-1)?.day)
  const most = mostOf(days)
  const last = days.length - 1
  const chosen = days[at ?? last]
  const answersOf = ({ answers }: DaySpent): string => t('billing.answers', { count: answers })
  const pointAt = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, right, width } = currentTarget.getBoundingClientRect()
    const along = isRtl() ? right - clientX : clientX - left
    setAt(Math.max(0, Math.min(last, Math.floor((along / width) * days.length))))
  }
  return (
    <div>
      {at === undefined || !chosen ? (
        <Total spent={sumOf(days)} dayCount={days.length} />
      ) : (
        <Total spent={chosen} about={`${dateOf(chosen.day)} · ${answersOf(chosen)}`} />
      )}
      <div className={styles.plot} style={{ '--days': days.length } as CSSProperties}>
        <div className={styles.bars} aria-hidden="true">
          {days.map(({ day, amount }, index) => (
            <span
              key={day}
              data-recent={index > last - recentDays || undefined}
              data-chosen={index === at || undefined}
              data-empty={amount === noMoney || undefined}
              style={{ height: `${barLength(amount, most) * 100}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          min={0}
          max={last}
          value={at ?? last}
          aria-label={t('billing.chooseDay')}
          aria-valuetext={
            chosen && `${dateOf(chosen.day)}: ${spentDollars(chosen.amount, language)}, ${answersOf(chosen)}`
          }
          onChange={({ target }) => setAt(Number(target.value))}
          onFocus={() => setAt((known) => known ?? last)}
          onBlur={() => setAt(undefined)}
          onPointerMove={pointAt}
          onPointerLeave={({ currentTarget }) => currentTarget !== document.activeElement && setAt(undefined)}
        />
      </div>
      <div className={styles.axis} aria-hidden="true">
        <span>{days[0] && dateOf(days[0].day)}</span>
        <span>{t('billing.today')}</span>
      </div>
      <div className={styles.hidden}>
        <table>
          <caption>{t('billing.spendingByDay')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('billing.day')}</th>
              <th scope="col">{t('billing.amount')}</th>
              <th scope="col">{t('billing.answerCount')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th scope="row">{dateOf(day.day)}</th>
                <td>{spentDollars(day.amount, language)}</td>
                <td>{day.answers.toLocaleString(language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** `Nov 21`; the last day is today. The dates are of the person's calendar already, without a time zone. */
function useDates(today: string | undefined): (day: string) => string {
  const { t, language } = useTranslation()
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (day) => (day === today ? t('billing.today') : format.format(new Date(day)))
}

import '../../i18n/later-texts'
import { isSubscriptionActive } from '@parley/contract/billing'
import { formatDollars, noMoney, storedNano } from '@parley/contract/money'
import { isWeb3, type User } from '@parley/contract/users'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../data/session/stored-session'
import { costText, exactDollars } from '../../lib/dollar-text'
import { VisuallyHidden } from '../../ui/visually-hidden'

/** Stored and imported messages say what they like. */
const wholeNanos = /^\d{1,18}$/

/** What an answer cost this person, as its usage has it; nothing for what was free. */
export default function AnswerCost({ cost }: { cost: string }) {
  const { t, i18n } = useTranslation()
  const user = useUser()
  if (!isCharged(user) || !wholeNanos.test(cost)) return null
  const amount = storedNano(cost)
  if (amount <= noMoney) return null
  return (
    <span title={exactDollars(formatDollars(amount), i18n.language)} data-cost="">
      <VisuallyHidden>{t('credits.cost')} </VisuallyHidden>
      {costText(amount, i18n.language)}
    </span>
  )
}

/** Of everybody else it says what the gateway asked of the server. */
function isCharged(user: User | undefined): boolean {
  if (!user || isWeb3(user)) return false
  const { subscription } = user.app_metadata
  return subscription === undefined || !isSubscriptionActive(subscription, Date.now())
}

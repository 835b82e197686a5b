import '../../i18n/later-texts'
import { isSubscriptionActive } from '@parley/contract/credits'
import { formatDollars, noMoney, storedNano } from '@parley/contract/money'
import { isWeb3, type User } from '@parley/contract/users'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { costText, exactDollars } from '../../lib/dollar-text'
import { VisuallyHidden } from '../../ui/visually-hidden'

/** Stored and imported messages may have any value here. */
const wholeNanos = /^\d{1,18}$/

/** The cost of an answer for this person, from its usage; empty for a free one. */
export default function AnswerCost({ cost }: { cost: string }) {
  const { t, language } = useTranslation()
  const user = useUser()
  if (!isCharged(user) || !wholeNanos.test(cost)) return null
  const amount = storedNano(cost)
  if (amount <= noMoney) return null
  return (
    <span title={exactDollars(formatDollars(amount), language)} data-cost="">
      <VisuallyHidden>{t('credits.cost')} </VisuallyHidden>
      {costText(amount, language)}
    </span>
  )
}

/** For other people it is the gateway's price for the server. */
function isCharged(user: User | undefined): boolean {
  if (!user || isWeb3(user)) return false
  const { subscription } = user.app_metadata
  return subscription === undefined || !isSubscriptionActive(subscription, Date.now())
}

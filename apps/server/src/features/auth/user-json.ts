import type { User } from '@parley/contract/users'
import type { Account, LegacySubscription } from './account-store'

/** An account as its owner sees it. */
export function toUser(account: Account, subscription: LegacySubscription | undefined): User {
  const { id, email, name, language, picture, kind } = account
  return {
    id,
    email,
    name,
    language,
    email_confirmed: account.emailConfirmedAt !== null,
    has_password: account.passwordHash !== null,
    user_metadata: { ...(name ? { name, full_name: name } : {}), language, ...(picture ? { picture } : {}) },
    app_metadata: {
      kind,
      ...(subscription ? { subscription: { product_name: subscription.productName, current_period_end: subscription.currentPeriodEnd.toISOString() } } : {}),
    },
  }
}

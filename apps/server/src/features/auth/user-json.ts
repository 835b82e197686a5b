import type { User } from '@parley/contract/users'
import type { Db } from '../../db/client'
import { type Account, findSubscription, type LegacySubscription } from './account-store'

/** An account as its owner sees it. */
export async function loadUser(db: Db, account: Account, now: Date): Promise<User> {
  return toUser(account, await findSubscription(db, account.id, now))
}

function toUser(account: Account, subscription: LegacySubscription | undefined): User {
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
      ...(subscription
        ? {
            subscription: {
              product_name: subscription.productName,
              current_period_end: subscription.currentPeriodEnd.toISOString(),
            },
          }
        : {}),
    },
  }
}

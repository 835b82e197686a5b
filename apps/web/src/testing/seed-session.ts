import { isWeb3, type User } from '@parley/contract/users'
import { AccountVault } from '../data/local/account-vault'
import { storeSession } from '../data/session/stored-session'

export const tokens = {
  access_token: 'access',
  refresh_token: 'refresh',
  token_type: 'bearer',
  expires_in: 900,
} as const

export function aUser(overrides: Partial<User> = {}): User {
  return {
    id: '0193f000-0000-7000-8000-000000000001',
    email: 'marina@example.com',
    name: 'Marina Duarte',
    language: 'en-US',
    email_confirmed: true,
    has_password: true,
    user_metadata: { name: 'Marina Duarte', full_name: 'Marina Duarte', language: 'en-US' },
    app_metadata: { kind: 'email' },
    ...overrides,
  }
}

export function aWalletUser(): User {
  const email = '0x52908400098527886e0f7030069857d2e4169ee7@erc20'
  return aUser({ email, name: '', has_password: false, user_metadata: {}, app_metadata: { kind: 'ethereum' } })
}

/** 256 bits, as the server gives them with a sign-in. */
const vaultKey = 'A'.repeat(43)

/** Somebody is signed in on this browser, as after a sign-in. */
export async function seedSession(user: User = aUser()): Promise<User> {
  await AccountVault.signIn(user.id, vaultKey)
  storeSession(user, tokens, isWeb3(user) ? 'web3' : 'web2')
  return user
}

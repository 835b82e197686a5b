import type { SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { isWeb3 } from '@parley/contract/users'
import { AccountVault } from '../local/account-vault'
import { storedSession, storeSession } from '../session/stored-session'
import { useVault } from '../vault/vault-state'

/**
 * Completes a sign-in with the server's answer: opens the account's vault on this device, then stores and publishes the
 * session.
 */
export async function completeSignIn(answer: SignIn): Promise<void> {
  const { user, vault_key: vaultKey } = answer
  if (vaultKey === undefined) throw new AppError('unknown')
  const { isLocked } = await AccountVault.signIn(user.id, vaultKey)
  // The lock screen comes next: the former person's app must not be shown in between.
  if (storedSession()?.user.id !== user.id && isLocked) useVault.setState({ status: 'opening' })
  storeSession(user, answer, isWeb3(user) ? 'web3' : 'web2')
}

import type { SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { isWeb3 } from '@parley/contract/users'
import { resetChat } from '../chat/chat-engine'
import { AccountVault } from '../local/account-vault'
import { useVault } from '../vault/vault-state'
import { storedSession, storeSession } from './stored-session'

/** Takes a successful sign-in's answer into use: the account's vault on this device is opened, the session stored, everybody told. */
export async function completeSignIn(answer: SignIn): Promise<void> {
  const { user, vault_key: vaultKey } = answer
  if (vaultKey === undefined) throw new AppError('unknown')
  const { isLocked } = await AccountVault.signIn(user.id, vaultKey)
  if (storedSession()?.user.id !== user.id) {
    resetChat()
    // Its lock is what comes next: the app of the one before is not shown in between.
    if (isLocked) useVault.setState({ status: 'opening' })
  }
  storeSession(user, answer, isWeb3(user) ? 'web3' : 'web2')
}

import type { SignIn } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { isWeb3 } from '@parley/contract/users'
import { resetChat } from '../chat/chat-engine'
import { AccountVault } from '../local/account-vault'
import { storedSession, storeSession } from './stored-session'

/** Takes a successful sign-in's answer into use: the account's vault on this device is opened, the session stored, everybody told. */
export async function completeSignIn(answer: SignIn): Promise<void> {
  const { user, vault_key: vaultKey } = answer
  if (vaultKey === undefined) throw new AppError('unknown')
  await AccountVault.signIn(user.id, vaultKey)
  if (storedSession()?.user.id !== user.id) resetChat()
  storeSession(user, answer, isWeb3(user) ? 'web3' : 'web2')
}

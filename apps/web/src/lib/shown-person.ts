import { type AccountKind, isWeb3, shortAddress, shownName, type User } from '@parley/contract/users'

/** The address of a wallet account; undefined for every other one. */
export const walletAddress = (user: User): string | undefined => (isWeb3(user) ? user.email.split('@')[0] : undefined)

/** How a person is called on the screen: the name, and a wallet without one by its short address. */
export function personName(user: User): string {
  const name = shownName(user)
  return name === walletAddress(user) ? shortAddress(name) : name
}

const networks: Partial<Record<AccountKind, string>> = { ethereum: 'Ethereum', solana: 'Solana', sui: 'Sui' }

/** The line under the name: the e-mail, or the network of a wallet. */
export const personDetail = ({ email, app_metadata: { kind } }: User): string => networks[kind] ?? email

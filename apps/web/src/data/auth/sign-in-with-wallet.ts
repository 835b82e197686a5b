import { authRoutes, type SignIn } from '@parley/contract/auth'
import { api } from '../api/api'
import { connectMetaMask } from '../wallets/ethereum'
import { connectSolana, connectSui } from '../wallets/wallet-standard'
import { deviceId } from './device-id'

export type WalletName = 'metamask' | 'phantom' | 'sui'

/**
 * Signs in with a wallet: its address, a challenge from the server, the wallet's signature, a session from the server.
 * Throws WalletMissingError, AppError, or the wallet's own error.
 */
export async function signInWithWallet(name: WalletName): Promise<SignIn> {
  if (name === 'metamask') {
    const { address, sign } = await connectMetaMask()
    const { data } = await api(authRoutes.ethereumChallenge, { params: { address } })
    return api(authRoutes.ethereumVerify, {
      body: { message: data.message, signature: await sign(data.message), deviceId: await deviceId() },
    })
  }
  const [challenge, verify, connect] =
    name === 'phantom'
      ? [authRoutes.solanaChallenge, authRoutes.solanaVerify, connectSolana]
      : [authRoutes.suiChallenge, authRoutes.suiVerify, connectSui]
  const { address, sign } = await connect()
  const { data } = await api(challenge, { params: { address } })
  return api(verify, {
    body: { address, message: data.message, signature: await sign(data.message), deviceId: await deviceId() },
  })
}

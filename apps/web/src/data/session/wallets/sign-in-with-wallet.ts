import { authRoutes, type SignIn } from '@parley/contract/auth'
import { api } from '../../http/api'
import { deviceId } from '../device-id'
import { connectMetaMask } from './ethereum'
import { connectSolana, connectSui } from './wallet-standard'

export type WalletName = 'metamask' | 'phantom' | 'sui'

/** Asks the wallet for its address, the server for a message, the wallet for its signature, the server for a session. Throws WalletMissingError, AppError, or what the wallet says. */
export async function signInWithWallet(name: WalletName): Promise<SignIn> {
  if (name === 'metamask') {
    const { address, sign } = await connectMetaMask()
    const { data } = await api(authRoutes.ethereumChallenge, { params: { address } })
    return api(authRoutes.ethereumVerify, { body: { message: data.message, signature: await sign(data.message), deviceId: await deviceId() } })
  }
  const [challenge, verify, connect] =
    name === 'phantom' ? [authRoutes.solanaChallenge, authRoutes.solanaVerify, connectSolana] : [authRoutes.suiChallenge, authRoutes.suiVerify, connectSui]
  const { address, sign } = await connect()
  const { data } = await api(challenge, { params: { address } })
  return api(verify, { body: { address, message: data.message, signature: await sign(data.message), deviceId: await deviceId() } })
}

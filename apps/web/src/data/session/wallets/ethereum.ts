import * as z from 'zod/mini'
import { WalletMissingError } from './wallet-missing-error'

/** EIP-1193 */
type Provider = { request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>; isMetaMask?: boolean }
/** EIP-6963 */
type Announcement = { info: { rdns: string; name: string }; provider: Provider }

declare global {
  interface Window {
    ethereum?: Provider
  }
}

/** Wallets answer the request for announcements at once, within the event. */
function announced(): Announcement[] {
  const found: Announcement[] = []
  const hear = (event: Event): void => {
    if (event instanceof CustomEvent && isAnnouncement(event.detail)) found.push(event.detail)
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  removeEventListener('eip6963:announceProvider', hear)
  return found
}

function metaMask(): Provider {
  const wallets = announced()
  const known = wallets.find(({ info }) => info.rdns.startsWith('io.metamask'))?.provider
  const injected = window.ethereum?.isMetaMask ? window.ethereum : undefined
  const provider = known ?? injected
  if (!provider) throw new WalletMissingError(wallets.length > 0 || window.ethereum !== undefined)
  return provider
}

/** The first account that the person lets this page see, and how it signs a text (EIP-191). Throws WalletMissingError, or what the wallet says. */
export async function connectMetaMask(): Promise<{ address: string; sign: (message: string) => Promise<string> }> {
  const provider = metaMask()
  const [address] = z.parse(z.array(z.string()), await provider.request({ method: 'eth_requestAccounts' }))
  if (address === undefined) throw new Error('the wallet shows no account')
  const sign = async (message: string): Promise<string> => {
    const bytes = Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, '0')).join('')
    return z.parse(z.string(), await provider.request({ method: 'personal_sign', params: [`0x${bytes}`, address] }))
  }
  return { address, sign }
}

function isAnnouncement(detail: unknown): detail is Announcement {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'info' in detail &&
    'provider' in detail &&
    z.safeParse(z.object({ rdns: z.string(), name: z.string() }), detail.info).success
  )
}

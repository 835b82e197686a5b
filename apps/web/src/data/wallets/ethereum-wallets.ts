import * as z from 'zod/mini'

/** EIP-1193 */
export type EthereumWallet = {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  isMetaMask?: boolean
}
/** EIP-6963 */
type Announcement = { info: { rdns: string }; provider: EthereumWallet }

declare global {
  interface Window {
    ethereum?: EthereumWallet
  }
}

/**
 * The Ethereum wallets of this browser: MetaMask, and the others, `window.ethereum` before those announced by EIP-6963.
 */
export function findEthereumWallets(): { metaMask: EthereumWallet | undefined; others: EthereumWallet[] } {
  const found = announcements()
  const { ethereum } = window
  const metaMask =
    found.find(({ info }) => info.rdns.startsWith('io.metamask'))?.provider ??
    (ethereum?.isMetaMask ? ethereum : undefined)
  const all = [...(ethereum ? [ethereum] : []), ...found.map(({ provider }) => provider)]
  return { metaMask, others: all.filter((wallet) => wallet !== metaMask) }
}

/** Wallets announce themselves synchronously within the request event. */
function announcements(): Announcement[] {
  const found: Announcement[] = []
  const hear = (event: Event): void => {
    if (event instanceof CustomEvent && isAnnouncement(event.detail)) found.push(event.detail)
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  removeEventListener('eip6963:announceProvider', hear)
  return found
}

const Announced = z.object({ info: z.object({ rdns: z.string() }), provider: z.object({ request: z.any() }) })

const isAnnouncement = (detail: unknown): detail is Announcement => z.safeParse(Announced, detail).success

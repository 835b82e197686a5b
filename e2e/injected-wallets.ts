// Wallets as extensions put them into a page: the protocol is in the page, the keys and the person's answers are in the
// journey.
import type { Page } from '@playwright/test'
import type { WalletSigner } from '../apps/server/src/testing/wallet-signers'

/** What a wallet says instead of doing what it was asked. */
type Refusal = { message: string; code?: number; shortMessage?: string }

export const rejected: Refusal = { code: 4001, message: 'User rejected the request.' }

/** A wallet and what its owner does when it asks them. */
export class OwnedWallet {
  /** Its answers to being connected and to signing; undefined: the owner agrees. */
  onConnect: Refusal | undefined
  onSign: Refusal | undefined
  /** Whose key signs instead of the shown account's. */
  impostor: WalletSigner | undefined
  /** The texts that it was asked to sign. */
  readonly texts: string[] = []
  /** Sends a transaction as the page made it, and answers its digest; undefined: it cannot. */
  onSend: ((transaction: string) => Promise<string>) | undefined

  /** `account`: the one that it shows; undefined: none. */
  constructor(public account: WalletSigner | undefined) {}

  accounts(): WalletSigner[] {
    if (this.onConnect) throw new RefusalError(this.onConnect)
    return this.account ? [this.account] : []
  }

  async sign(address: string, text: string): Promise<string> {
    this.texts.push(text)
    if (this.onSign) throw new RefusalError(this.onSign)
    if (this.account?.address !== address)
      throw new RefusalError({
        code: 4100,
        message: 'The requested account and/or method has not been authorized by the user.',
      })
    return (this.impostor ?? this.account).sign(text)
  }
}

/** What a wallet throws at the page. */
export class RefusalError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

type Outcome = { result: unknown } | { refusal: Refusal }

/** A function of the journey that the page can call. Its refusals arrive whole, with their codes. */
export async function bind(page: Page, name: string, run: (call: string, params: string[]) => unknown): Promise<void> {
  await page.context().exposeFunction(name, async (call: string, params: string[]): Promise<Outcome> => {
    try {
      return { result: await run(call, params) }
    } catch (error) {
      if (error instanceof RefusalError) return { refusal: error.refusal }
      throw error
    }
  })
}

type EthereumKind = {
  name: string
  rdns: string
  /** EIP-6963, or the older `window.ethereum` alone. */
  isAnnounced?: boolean
}

export const metaMaskKind: EthereumKind = { name: 'MetaMask', rdns: 'io.metamask' }
export const rabbyKind: EthereumKind = { name: 'Rabby Wallet', rdns: 'io.rabby' }

/** An EIP-1193 wallet, there from the next page on. */
export async function injectEthereum(
  page: Page,
  wallet: OwnedWallet,
  { name, rdns, isAnnounced = true }: EthereumKind = metaMaskKind,
): Promise<void> {
  const binding = `call-${rdns}`
  await bind(page, binding, (method, [first = '', second = '']) => {
    if (method === 'eth_requestAccounts') return wallet.accounts().map(({ address }) => address)
    if (method === 'personal_sign')
      return wallet.sign(second, Buffer.from(first.replace(/^0x/, ''), 'hex').toString('utf8'))
    throw new RefusalError({ code: 4200, message: 'The Provider does not support the requested method.' })
  })
  await page.context().addInitScript(provideEthereum, { binding, name, rdns, isAnnounced })
}

/** Runs in the page: everything it needs is in it. */
export function provideEthereum({
  binding,
  name,
  rdns,
  isAnnounced,
}: Required<EthereumKind> & { binding: string }): void {
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const journey = (
      window as unknown as Record<string, (method: string, params: readonly unknown[]) => Promise<Outcome>>
    )[binding]
    const outcome = await journey?.(method, params)
    if (!outcome || 'refusal' in outcome) throw Object.assign(new Error(), outcome?.refusal)
    return outcome.result
  }
  const provider = {
    isMetaMask: name === 'MetaMask',
    request: ({ method, params = [] }: { method: string; params?: unknown[] }) => call(method, params),
  }
  if (!isAnnounced) {
    Object.assign(window, { ethereum: provider })
    return
  }
  const info = Object.freeze({ uuid: crypto.randomUUID?.() ?? rdns, name, rdns, icon: 'data:image/svg+xml,<svg/>' })
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}

type StandardKind = {
  name: string
  chain: 'solana:mainnet' | 'sui:mainnet'
  feature: 'solana:signMessage' | 'sui:signPersonalMessage'
}

export const phantomKind: StandardKind = { name: 'Phantom', chain: 'solana:mainnet', feature: 'solana:signMessage' }
export const solflareKind: StandardKind = { ...phantomKind, name: 'Solflare' }
export const slushKind: StandardKind = { name: 'Slush', chain: 'sui:mainnet', feature: 'sui:signPersonalMessage' }

/** A wallet of the wallet standard, there from the next page on. */
export async function injectStandard(page: Page, wallet: OwnedWallet, kind: StandardKind): Promise<void> {
  const binding = `call-${kind.name}`
  await bind(page, binding, async (call, [address = '', text = '']) => {
    if (call === 'connect')
      return wallet.accounts().map((account) => ({ address: account.address, publicKey: [...account.publicKey] }))
    if (call === 'send') return wallet.onSend?.(text)
    const signature = await wallet.sign(address, text)
    return kind.chain === 'solana:mainnet' ? fromBase58(signature) : signature
  })
  await page.context().addInitScript(registerStandard, { ...kind, binding, canSend: wallet.onSend !== undefined })
}

/** Runs in the page: everything it needs is in it. */
function registerStandard({
  name,
  chain,
  feature,
  binding,
  canSend,
}: StandardKind & { binding: string; canSend: boolean }): void {
  type Account = { address: string }
  type Input = { account: Account; message: Uint8Array }
  type Register = { register(wallet: unknown): void }
  const call = async <T>(method: string, params: string[]): Promise<T> => {
    const journey = (window as unknown as Record<string, (method: string, params: string[]) => Promise<Outcome>>)[
      binding
    ]
    const outcome = await journey?.(method, params)
    if (!outcome || 'refusal' in outcome) throw Object.assign(new Error(), outcome?.refusal)
    return outcome.result as T
  }
  const features = [feature]
  const accounts = async () => {
    const shown = await call<{ address: string; publicKey: number[] }[]>('connect', [])
    return shown.map(({ address, publicKey }) => ({
      address,
      publicKey: Uint8Array.from(publicKey),
      chains: [chain],
      features,
    }))
  }
  const signMessage = async ({ account, message }: Input) => [
    {
      signedMessage: message,
      signature: Uint8Array.from(await call<number[]>('sign', [account.address, new TextDecoder().decode(message)])),
    },
  ]
  const signPersonalMessage = async ({ account, message }: Input) => ({
    bytes: btoa(String.fromCharCode(...message)),
    signature: await call<string>('sign', [account.address, new TextDecoder().decode(message)]),
  })
  const signAndExecuteTransaction = async ({
    account,
    transaction,
  }: {
    account: Account
    transaction: { toJSON(): Promise<string> }
  }) => ({
    digest: await call<string>('send', [account.address, await transaction.toJSON()]),
  })
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml,<svg/>',
    chains: [chain],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: await accounts() }) },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      ...(canSend ? { 'sui:signAndExecuteTransaction': { version: '2.0.0', signAndExecuteTransaction } } : {}),
      [feature]:
        feature === 'solana:signMessage'
          ? { version: '1.0.0', signMessage }
          : { version: '1.0.0', signPersonalMessage },
    },
  }
  const register = (api: Register) => api.register(wallet)
  // Whoever is there first waits for the other.
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent<Register>).detail))
}

const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The 64 bytes of a Solana signature: a wallet gives bytes, and the text of them is the app's. */
function fromBase58(text: string): number[] {
  const number = [...text].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
  return [...Buffer.from(number.toString(16).padStart(128, '0'), 'hex')]
}

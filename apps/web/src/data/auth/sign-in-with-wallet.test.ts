import 'fake-indexeddb/auto'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, tokens } from '../../testing/seed-session'
import type { EthereumWallet } from '../wallets/ethereum-wallets'
import { WalletMissingError } from '../wallets/wallet-missing-error'
import { signInWithWallet } from './sign-in-with-wallet'

const message = 'localhost wants you to sign in with your account: é'
const calls: [path: string, body: unknown][] = []

beforeEach(() => {
  calls.length = 0
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push([path, typeof init.body === 'string' ? JSON.parse(init.body) : undefined])
    return Response.json(
      path.includes('requestChallenge')
        ? { success: true, data: { message } }
        : { ...tokens, user: aUser(), vault_key: 'k' },
    )
  })
})
const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
  delete window.ethereum
  vi.unstubAllGlobals()
})

const hexOfMessage = `0x${Buffer.from(message, 'utf8').toString('hex')}`
const anId = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** An EIP-1193 provider with one account. */
function aProvider(address: string, request?: EthereumWallet['request']): EthereumWallet & { asked: unknown[] } {
  const asked: unknown[] = []
  return {
    asked,
    isMetaMask: true,
    request:
      request ??
      (async (call) => {
        asked.push(call)
        return call.method === 'eth_requestAccounts' ? [address] : `0xsigned-by-${address}`
      }),
  }
}

/** An extension that answers the page's question for wallets (EIP-6963). */
function announce(rdns: string, provider: EthereumWallet): void {
  const answer = () =>
    dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: { info: { rdns, name: rdns, uuid: '1', icon: '' }, provider },
      }),
    )
  addEventListener('eip6963:requestProvider', answer)
  endings.push(() => removeEventListener('eip6963:requestProvider', answer))
}

describe('MetaMask', () => {
  it('is found by its announcement among others, signs the challenge, and the signature becomes a session [AG-110, AG-166, AG-167]', async () => {
    const other = aProvider('0xother')
    const metamask = aProvider('0x52908400098527886E0F7030069857D2E4169EE7')
    announce('com.other', other)
    announce('io.metamask', metamask)
    window.ethereum = other
    expect(await signInWithWallet('metamask')).toMatchObject({
      access_token: 'access',
      user: { email: 'marina@example.com' },
    })
    expect(metamask.asked).toEqual([
      { method: 'eth_requestAccounts' },
      { method: 'personal_sign', params: [hexOfMessage, '0x52908400098527886E0F7030069857D2E4169EE7'] },
    ])
    expect(other.asked).toEqual([])
    expect(calls).toEqual([
      ['/api/auth/web3/ethereum/requestChallenge/0x52908400098527886E0F7030069857D2E4169EE7', undefined],
      [
        '/api/auth/web3/ethereum/verifyChallenge',
        { message, signature: '0xsigned-by-0x52908400098527886E0F7030069857D2E4169EE7', deviceId: anId },
      ],
    ])
  })

  it('is found as window.ethereum where it does not announce itself, and another wallet does [AG-110]', async () => {
    const [rabby, metamask] = [aProvider('0xother'), aProvider('0xabc')]
    announce('io.rabby', rabby)
    window.ethereum = metamask
    await signInWithWallet('metamask')
    expect(metamask.asked).toHaveLength(2)
    expect(rabby.asked).toEqual([])
  })

  it('is missing where there is no wallet, and where another one stands in its place [AG-164, AG-169]', async () => {
    const missing = await signInWithWallet('metamask').catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(WalletMissingError)
    expect(missing).toMatchObject({ hasOthers: false })
    window.ethereum = { ...aProvider('0xabc'), isMetaMask: false }
    await expect(signInWithWallet('metamask')).rejects.toMatchObject({ name: 'WalletMissingError', hasOthers: true })
    expect(calls).toEqual([])
  })

  it('that refuses ends the sign-in with what it said [AG-170]', async () => {
    window.ethereum = aProvider('0xabc', async () =>
      Promise.reject(Object.assign(new Error('User rejected the request.'), { code: 4001 })),
    )
    await expect(signInWithWallet('metamask')).rejects.toMatchObject({
      code: 4001,
      message: 'User rejected the request.',
    })
    expect(calls).toEqual([])
  })

  it('that shows no account is not a missing one', async () => {
    window.ethereum = aProvider('', async () => [])
    await expect(signInWithWallet('metamask')).rejects.not.toBeInstanceOf(WalletMissingError)
  })
})

type Features = Wallet['features']

function account(address: string, ...chains: WalletAccount['chains'][number][]): WalletAccount {
  return { address, chains, publicKey: new Uint8Array(32), features: [] }
}

/** A wallet of the Wallet Standard, for as long as the test runs. */
function register(name: string, accounts: WalletAccount[], features: Features): void {
  const connect = { 'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) } }
  const wallet: Wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml;base64,',
    chains: [],
    accounts,
    features: { ...connect, ...features },
  }
  endings.push(getWallets().register(wallet))
}

const solana = (seen: unknown[], signature = Uint8Array.of(0, 1, 2, 255)): Features => ({
  'solana:signMessage': {
    version: '1.1.0',
    signMessage: async (input: { account: WalletAccount; message: Uint8Array }) => {
      seen.push([input.account.address, new TextDecoder().decode(input.message)])
      return [{ signedMessage: input.message, signature }]
    },
  },
})

const sui = (seen: unknown[]): Features => ({
  'sui:signPersonalMessage': {
    version: '1.1.0',
    signPersonalMessage: async (input: { account: WalletAccount; message: Uint8Array }) => {
      seen.push([input.account.address, new TextDecoder().decode(input.message)])
      return { bytes: '', signature: 'AAbase64==' }
    },
  },
})

describe('Phantom', () => {
  it('comes before other Solana wallets, and its signature is sent in base58 [AG-110, AG-166, AG-168]', async () => {
    const others: unknown[] = []
    const seen: unknown[] = []
    register('Another', [account('other', 'solana:mainnet')], solana(others))
    register('Phantom', [account('0xevm', 'eip155:1'), account('So1anaAddress', 'solana:mainnet')], {
      ...solana(seen),
      ...sui([]),
    })
    expect(await signInWithWallet('phantom')).toMatchObject({ access_token: 'access' })
    expect(others).toEqual([])
    expect(seen).toEqual([['So1anaAddress', message]])
    expect(calls).toEqual([
      ['/api/auth/web3/solana/requestChallenge/So1anaAddress', undefined],
      [
        '/api/auth/web3/solana/verifyChallenge',
        { address: 'So1anaAddress', message, signature: '1LiA', deviceId: anId },
      ],
    ])
  })

  it('may be any other wallet that signs for Solana where it is not [AG-110]', async () => {
    const seen: unknown[] = []
    register('Another', [account('other', 'solana:mainnet')], solana(seen))
    expect(await signInWithWallet('phantom')).toMatchObject({ access_token: 'access' })
    expect(seen).toEqual([['other', message]])
  })

  it('is missing where no wallet can sign for Solana [AG-164]', async () => {
    register('Sui only', [account('0xsui', 'sui:mainnet')], sui([]))
    await expect(signInWithWallet('phantom')).rejects.toBeInstanceOf(WalletMissingError)
  })
})

describe('a Sui wallet', () => {
  it('signs a personal message, whose signature is sent as the wallet gives it', async () => {
    const seen: unknown[] = []
    register('Slush', [account('0xsui', 'sui:testnet')], sui(seen))
    expect(await signInWithWallet('sui')).toMatchObject({ access_token: 'access' })
    expect(seen).toEqual([['0xsui', message]])
    expect(calls[1]).toEqual([
      '/api/auth/web3/sui/verifyChallenge',
      { address: '0xsui', message, signature: 'AAbase64==', deviceId: anId },
    ])
  })

  it('is missing where no wallet can sign for Sui [AG-164]', async () => {
    register('Phantom', [account('So1', 'solana:mainnet')], solana([]))
    await expect(signInWithWallet('sui')).rejects.toBeInstanceOf(WalletMissingError)
  })
})

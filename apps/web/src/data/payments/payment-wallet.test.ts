import { afterEach, describe, expect, it } from 'vitest'
import { aHash, PaymentWallet, walletError } from '../../testing/payment-wallet'
import { aUser, aWalletUser } from '../../testing/seed-session'
import { chooseChain, connectPayer, sendTransfer, walletAnswer } from './payment-wallet'

const own = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const quote = {
  chainId: 8453,
  token: `0x${'7'.repeat(40)}`,
  treasury: other,
  aizAmount: '1.0000',
  paymentId: 'p',
  data: '0xa9059cbb00',
  expires_at: '',
}

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
  delete window.ethereum
})

/** An extension that answers the page's question for wallets (EIP-6963). */
function announce(rdns: string, provider: PaymentWallet): void {
  const answer = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { rdns, name: rdns }, provider } }))
  addEventListener('eip6963:requestProvider', answer)
  endings.push(() => removeEventListener('eip6963:requestProvider', answer))
}

describe('the wallet that pays', () => {
  it('is MetaMask before all others, then the one in the page, then any that announces itself', async () => {
    const [metamask, injected, announced] = [
      new PaymentWallet([own]),
      new PaymentWallet([own]),
      new PaymentWallet([own]),
    ]
    announce('com.other', announced)
    expect((await connectPayer(aUser())).wallet).toBe(announced)
    window.ethereum = injected
    expect((await connectPayer(aUser())).wallet).toBe(injected)
    announce('io.metamask', metamask)
    expect((await connectPayer(aUser())).wallet).toBe(metamask)
  })

  it('is missing where there is none [ST-169]', async () => {
    await expect(connectPayer(aUser())).rejects.toMatchObject({ name: 'WalletMissingError' })
  })

  it('pays from any account, but of a wallet user from theirs alone, wherever it stands among the connected ones [ST-169, ST-170]', async () => {
    window.ethereum = new PaymentWallet([other, own])
    expect((await connectPayer(aUser())).account).toBe(other)
    expect((await connectPayer(aWalletUser())).account).toBe(own)
    window.ethereum = new PaymentWallet([other])
    await expect(connectPayer(aWalletUser())).rejects.toMatchObject({ code: 'payment.wrong-account' })
    window.ethereum = new PaymentWallet([])
    await expect(connectPayer(aUser())).rejects.toMatchObject({ code: 'payment.wrong-account' })
  })

  it('sends the transfer exactly as the server wrote it', async () => {
    const wallet = new PaymentWallet([own])
    expect(await sendTransfer({ wallet, account: own }, quote)).toBe(aHash)
    expect(wallet.asked).toEqual([
      { method: 'eth_sendTransaction', params: [{ from: own, to: quote.token, data: quote.data, value: '0x0' }] },
    ])
    wallet.hash = '0x12'
    await expect(sendTransfer({ wallet, account: own }, quote)).rejects.toThrow()
  })
})

describe('the network of the wallet [ST-169]', () => {
  const at = (chainId: number, knownChains?: number[]): PaymentWallet =>
    Object.assign(new PaymentWallet([own]), { chainId, ...(knownChains ? { knownChains } : {}) })
  const choose = (wallet: PaymentWallet, chainId = quote.chainId) =>
    chooseChain({ wallet, account: own }, { ...quote, chainId })

  it('stays when it is the right one', async () => {
    const wallet = at(8453)
    await choose(wallet)
    expect(wallet.methods()).toEqual(['eth_chainId'])
  })

  it('is switched when it is another one', async () => {
    const wallet = at(1)
    await choose(wallet)
    expect(wallet.chainId).toBe(8453)
    expect(wallet.paramsOf('wallet_switchEthereumChain')).toEqual({ chainId: '0x2105' })
  })

  it('is added when the wallet does not know Base, also where the wallet wraps that', async () => {
    const wallet = at(1, [1])
    await choose(wallet)
    expect(wallet.chainId).toBe(8453)
    expect(wallet.paramsOf('wallet_addEthereumChain')).toMatchObject({ chainId: '0x2105', chainName: 'Base' })
    const phone = at(1, [1])
    const switching = phone.request
    let isAdded = false
    const wrapped = Object.assign(phone, {
      request: async (call: Parameters<typeof switching>[0]) => {
        if (call.method === 'wallet_addEthereumChain') isAdded = true
        if (call.method === 'wallet_switchEthereumChain' && !isAdded)
          throw walletError(-32603, { originalError: { code: 4902 } })
        return switching(call)
      },
    })
    await choose(wrapped)
    expect(phone.chainId).toBe(8453)
  })

  it('is wrong when the person keeps it, when it does not change, and when another chain than Base is unknown', async () => {
    const kept = at(1)
    kept.refusals.set('wallet_switchEthereumChain', walletError(4001))
    await expect(choose(kept)).rejects.toMatchObject({ code: 'payment.wrong-network' })
    const deaf = Object.assign(at(1), { goTo: () => null })
    await expect(choose(deaf)).rejects.toMatchObject({ code: 'payment.wrong-network' })
    const narrow = at(1, [1])
    await expect(choose(narrow, 84_532)).rejects.toMatchObject({ code: 'payment.wrong-network' })
    expect(narrow.methods()).not.toContain('wallet_addEthereumChain')
  })
})

it.each([
  [walletError(4001), 'declined'],
  [{ code: 'ACTION_REJECTED' }, 'declined'],
  [walletError(-32002), 'waiting'],
  [walletError(-32603), undefined],
  [new Error('no'), undefined],
  ['no', undefined],
])('%s is understood', (error, meaning) => expect(walletAnswer(error)).toBe(meaning))

import { serverLimits } from '@parley/contract/limits/server'
import type { Payment } from '@parley/contract/payments'
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, keccak256, parseEther, toHex } from 'viem'
import type { Client } from './person'
import type { StepOf } from './simulation-steps'
import { ChainAccount, type TokenSale, treasury } from './token-sale'

type TokenOrder = { id: string; dollars: number; units: bigint; data: Hex; createdAt: number; expiresAt: number }
/** `signed` is undefined for a transfer of another wallet. */
type Transfer = { hash: Hex; order: TokenOrder; how: StepOf<'transfer'>['how']; signed: Hex | undefined }
type Deps = {
  sale: TokenSale
  account: ChainAccount
  isWallet: boolean
  client: Client
  stranger: Client
  count(what: string): void
}
export type TokenStep = StepOf<'quote' | 'transfer' | 'report' | 'mine' | 'reorganise'>

const payment = '/api/billing/payment'
const { confirmations, chainClockMs } = serverLimits.payments
const elsewhere: Address = '0x0bad000000000000000000000000000000000002'
const transferTo = (to: Address, units: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })

/** Opens an account on the chain, with tokens. */
export const openAccount = (sale: TokenSale): Promise<ChainAccount> =>
  ChainAccount.open(sale, (to) => transferTo(to, parseEther('100000')))

/** A person who buys with the token. Knows their transfers on the chain, and which of them pay which order. */
export class SimulatedTokenBuyer {
  readonly orders: TokenOrder[] = []
  private readonly sent: Transfer[] = []
  /** The snapshot of the chain at the start of the moment, until it is restored. */
  private snapshot: { id: Hex; sent: number; blocks: number } | undefined
  /** In this moment the chain's node may be unavailable. */
  private isUncertain = false

  constructor(private readonly deps: Deps) {}

  /** Begins a moment: sets the chain's clock. `isUncertain`: calls to the chain's node may fail. */
  async begin(now: number, isUncertain: boolean): Promise<void> {
    const { chain } = this.deps.sale
    this.isUncertain = isUncertain
    await chain.reach(now)
    this.snapshot = { id: await chain.remember(), sent: this.sent.length, blocks: 0 }
  }

  take(step: TokenStep): Promise<void> {
    const { account } = this.deps
    switch (step.kind) {
      case 'quote':
        return this.quote(step)
      case 'transfer':
        return this.pay(step)
      case 'report':
        return this.report(step)
      case 'mine':
        return account.inTurn(() => this.mine(step.blocks))
      case 'reorganise':
        return account.inTurn(() => this.reorganise(step.again))
    }
  }

  async mine(blocks: number): Promise<void> {
    await this.deps.sale.chain.mine(blocks)
    if (this.snapshot) this.snapshot.blocks += blocks
  }

  /**
   * Checks that each completed payment has a valid transfer of its own, and that each valid transfer which the server
   * knows has completed its payment. Returns the violations.
   */
  async violations(bought: readonly Payment[], knows: 'found' | 'reported'): Promise<string[]> {
    const times = await this.times()
    const own = bought.filter(({ method }) => method === 'token')
    const used = own.flatMap(({ status, transaction_id: hash }) => (status === 'completed' ? [hash] : []))
    const orderOf = (id: string): TokenOrder | undefined => this.orders.find((order) => order.id === id)
    const isValid = (id: string, hash: string | undefined): boolean => {
      const [order, transfer] = [orderOf(id), this.sent.find((one) => one.hash === hash)]
      return order !== undefined && transfer !== undefined && this.pays(transfer, order, times.get(transfer.hash))
    }
    return own.flatMap(({ id, status, transaction_id: hash }) => {
      if (status === 'completed') {
        if (used.filter((one) => one === hash).length > 1) return [`${hash} paid ${id} and another one`]
        return isValid(id, hash) ? [] : [`${id} was granted for ${hash}`]
      }
      const free = this.sent.filter(
        (one) => !used.includes(one.hash) && isValid(id, one.hash) && (knows === 'reported' || one.hash === hash),
      )
      return free.map((one) => `${id} is ${status}, though ${one.hash} pays it`)
    })
  }

  /** Reports each transfer for each order that it can pay, even if it has paid another one. */
  async reportAll(): Promise<void> {
    const { client, count } = this.deps
    const times = await this.times()
    for (const transfer of new Map(this.sent.map((one) => [one.hash, one])).values()) {
      let isUsed = false
      for (const { id } of this.orders.filter((order) => this.pays(transfer, order, times.get(transfer.hash)))) {
        const { status } = await client.post(`${payment}/${id}/transaction`, { hash: transfer.hash })
        if (status !== 200 && status !== 400) throw new Error(`${transfer.hash} for ${id} was answered with ${status}`)
        if (isUsed) count('a transfer that was named again')
        isUsed ||= status === 200
      }
    }
  }

  private async quote({ dollars: amount }: StepOf<'quote'>): Promise<void> {
    const { client, count } = this.deps
    const { status, body } = await client.post(payment, { amount, method: 'token' })
    if (status === 502 && this.isUncertain) return count('a quote without the chain')
    if (status === 429) return count('a quote too many')
    const { id, created_at: createdAt, token } = body as Payment
    if (status !== 201 || !token) throw new Error(`a quote was answered with ${status}`)
    const data = token.data as Hex
    // The second argument of the call, after the function selector and the recipient.
    const units = BigInt(`0x${data.slice(2 + 8 + 64, 2 + 8 + 128)}`)
    this.orders.push({
      id,
      dollars: amount,
      units,
      data,
      createdAt: Date.parse(createdAt),
      expiresAt: Date.parse(token.expires_at),
    })
    count('a quote')
  }

  /** Sends a transfer, and reports it unless the person closes the page before. */
  private async pay({ which, how, isReported }: StepOf<'transfer'>): Promise<void> {
    const order = this.orders[which % this.orders.length]
    if (!order) return
    const hash = await this.deps.account.inTurn(() => this.transfer(order, how))
    if (isReported) await this.reportHash(order, hash)
  }

  private async transfer(order: TokenOrder, how: Transfer['how']): Promise<Hex> {
    const { account, sale, count } = this.deps
    const { units, data } = order
    const mark: Hex = `0x${data.slice(2 + 8 + 128)}`
    const call = {
      right: data,
      'of another wallet': data,
      'other token': data,
      unmarked: transferTo(treasury, units),
      less: concatHex([transferTo(treasury, units - 1n), mark]),
      elsewhere: concatHex([transferTo(elsewhere, units), mark]),
      reverted: concatHex([transferTo(treasury, parseEther('1000000')), mark]),
    }[how]
    const to = how === 'other token' ? sale.otherToken : sale.token
    const signed = how === 'of another wallet' ? undefined : await account.sign(to, call)
    const hash = signed === undefined ? await account.sendOfAnother(to, call) : await account.sendSigned(signed)
    this.sent.push({ hash, order, how, signed })
    if (this.snapshot) this.snapshot.blocks += 1
    count(`a transfer: ${how}`)
    return hash
  }

  private async report({ which, transfer, of }: StepOf<'report'>): Promise<void> {
    const order = this.orders[which % this.orders.length]
    if (!order) return
    const all = of === 'any' ? this.sent : this.sent.filter((one) => one.order === order)
    const hash = of === 'none' ? keccak256(toHex(`${order.id}${transfer}`)) : all[transfer % all.length]?.hash
    if (hash !== undefined) await this.reportHash(order, hash, of === 'it by a stranger')
  }

  private async reportHash({ id }: TokenOrder, hash: Hex, isStranger = false): Promise<void> {
    const { client, stranger, count } = this.deps
    const { status, body } = await (isStranger ? stranger : client).post(`${payment}/${id}/transaction`, { hash })
    const { code, status: end } = body as { code?: string; status?: string }
    const good = isStranger ? [404] : [200, 400, 409, 410, ...(this.isUncertain ? [502] : [])]
    if (!good.includes(status)) throw new Error(`a report was answered with ${status} ${code}`)
    count(`a report: ${isStranger ? 'of a stranger' : (code ?? end)}`)
  }

  /** Drops the blocks of this moment, which have too few confirmations to count, and sends some transfers again. */
  private async reorganise(again: number): Promise<void> {
    const { account, sale, count } = this.deps
    const { snapshot } = this
    if (!snapshot || snapshot.blocks === 0 || snapshot.blocks >= confirmations) return
    this.snapshot = undefined
    await sale.chain.restore(snapshot.id)
    count('a reorganised block')
    const dropped = this.sent.slice(snapshot.sent).flatMap(({ signed }) => (signed === undefined ? [] : [signed]))
    for (const signed of dropped.slice(0, again)) {
      await account.sendSigned(signed)
      count('a transfer that came again')
    }
  }

  /** Whether a transfer pays an order. `at` is the time of its block in milliseconds, undefined if not confirmed. */
  private pays({ order: of, how }: Transfer, order: TokenOrder, at: number | undefined): boolean {
    if (at === undefined || at < order.createdAt - chainClockMs || at > order.expiresAt + chainClockMs) return false
    // A wallet account's transfer needs no mark: one that is too small for its own order may pay a cheaper one.
    if (this.deps.isWallet)
      return ['right', 'unmarked', 'less'].includes(how) && of.units - (how === 'less' ? 1n : 0n) >= order.units
    return (how === 'right' || how === 'of another wallet') && of === order
  }

  /** The block times of the confirmed transfers by hash, in milliseconds. */
  private async times(): Promise<Map<Hex, number>> {
    const { chain } = this.deps.sale
    const head = BigInt((await chain.ask('eth_blockNumber', [])) as Hex)
    const times = new Map<Hex, number>()
    for (const { hash } of this.sent) {
      const receipt = (await chain.ask('eth_getTransactionReceipt', [hash])) as { blockNumber: Hex } | null
      if (!receipt || head - BigInt(receipt.blockNumber) + 1n < confirmations) continue
      const { timestamp } = (await chain.ask('eth_getBlockByNumber', [receipt.blockNumber, false])) as {
        timestamp: Hex
      }
      times.set(hash, Number(timestamp) * 1_000)
    }
    return times
  }
}

import { limits } from '@parley/contract/limits'
import type { Payment } from '@parley/contract/payments'
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, keccak256, parseEther, toHex } from 'viem'
import type { StepOf } from './payment-steps'
import type { Client } from './person'
import { ChainAccount, type TokenSale, treasury } from './token-sale'

type Quoted = { id: string; dollars: number; asked: bigint; data: Hex; from: number; until: number }
type Transfer = { hash: Hex; order: Quoted; how: StepOf<'transfer'>['how']; signed: Hex | undefined }
type Deps = { sale: TokenSale; account: ChainAccount; isWallet: boolean; buyer: Client; stranger: Client; count(what: string): void }
export type TokenStep = StepOf<'quote' | 'transfer' | 'report' | 'mine' | 'reorganise'>

const payment = '/api/billing/payment'
const { confirmations, chainClockMs } = limits.payments
const elsewhere: Address = '0x0bad000000000000000000000000000000000002'
const transferTo = (to: Address, units: bigint): Hex => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })

/** Opens an account on the chain, with tokens. */
export const openAccount = (sale: TokenSale): Promise<ChainAccount> => ChainAccount.open(sale, (to) => transferTo(to, parseEther('100000')))

/** What somebody buys with the token, their transfers on a real chain, and which of them pay for what. */
export class TokenLife {
  readonly orders: Quoted[] = []
  private readonly sent: Transfer[] = []
  /** The chain at the start of the moment, unless it has gone back there. */
  private point: { id: Hex; sent: number; blocks: number } | undefined
  /** Steps of this moment may be answered as if the node were away. */
  private isUncertain = false

  constructor(private readonly deps: Deps) {}

  /** The chain's clock goes on with ours. `isUncertain`: calls to its node may be lost. */
  async begin(now: number, isUncertain: boolean): Promise<void> {
    const { chain } = this.deps.sale
    this.isUncertain = isUncertain
    await chain.reach(now)
    this.point = { id: await chain.remember(), sent: this.sent.length, blocks: 0 }
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
    if (this.point) this.point.blocks += blocks
  }

  /** Of payments by the token: each that completed has a good transfer of its own. Answers what is wrong. `named`: what the server was told in time is found. */
  async faults(bought: readonly Payment[], named: 'found' | 'reported'): Promise<string[]> {
    const times = await this.times()
    const own = bought.filter(({ method }) => method === 'token')
    const used = own.flatMap(({ status, transaction_id: hash }) => (status === 'completed' ? [hash] : []))
    const orderOf = (id: string): Quoted | undefined => this.orders.find((order) => order.id === id)
    const isGood = (id: string, hash: string | undefined): boolean => {
      const [order, transfer] = [orderOf(id), this.sent.find((one) => one.hash === hash)]
      return order !== undefined && transfer !== undefined && this.pays(transfer, order, times.get(transfer.hash))
    }
    return own.flatMap(({ id, status, transaction_id: hash }) => {
      if (status === 'completed') {
        if (used.filter((one) => one === hash).length > 1) return [`${hash} paid ${id} and another one`]
        return isGood(id, hash) ? [] : [`${id} was granted for ${hash}`]
      }
      const free = this.sent.filter((one) => !used.includes(one.hash) && isGood(id, one.hash) && (named === 'reported' || one.hash === hash))
      return free.map((one) => `${id} is ${status}, though ${one.hash} pays it`)
    })
  }

  /** Names every transfer for every payment that it can pay, also those that have paid for another one. */
  async reportAll(): Promise<void> {
    const { buyer, count } = this.deps
    const times = await this.times()
    for (const transfer of new Map(this.sent.map((one) => [one.hash, one])).values()) {
      let isUsed = false
      for (const { id } of this.orders.filter((order) => this.pays(transfer, order, times.get(transfer.hash)))) {
        const { status } = await buyer.post(`${payment}/${id}/transaction`, { hash: transfer.hash })
        if (status !== 200 && status !== 400) throw new Error(`${transfer.hash} for ${id} was answered with ${status}`)
        if (isUsed) count('a transfer that was named again')
        isUsed ||= status === 200
      }
    }
  }

  private async quote({ dollars: amount }: StepOf<'quote'>): Promise<void> {
    const { buyer, count } = this.deps
    const { status, body } = await buyer.post(payment, { amount, method: 'token' })
    if (status === 502 && this.isUncertain) return count('a quote without the chain')
    if (status === 429) return count('a quote too many')
    const { id, created_at: createdAt, token } = body as Payment
    if (status !== 201 || !token) throw new Error(`a quote was answered with ${status}`)
    const data = token.data as Hex
    // Behind the function's name: to whom, and how much.
    const asked = BigInt(`0x${data.slice(2 + 8 + 64, 2 + 8 + 128)}`)
    this.orders.push({ id, dollars: amount, asked, data, from: Date.parse(createdAt), until: Date.parse(token.expires_at) })
    count('a quote')
  }

  /** With the page that names the transfer at once, or without. */
  private async pay({ which, how, isReported }: StepOf<'transfer'>): Promise<void> {
    const order = this.orders[which % this.orders.length]
    if (!order) return
    const hash = await this.deps.account.inTurn(() => this.transfer(order, how))
    if (isReported) await this.name(order, hash)
  }

  private async transfer(order: Quoted, how: Transfer['how']): Promise<Hex> {
    const { account, sale, count } = this.deps
    const { asked, data } = order
    const mark: Hex = `0x${data.slice(2 + 8 + 128)}`
    const call = {
      right: data,
      'of another wallet': data,
      'other token': data,
      unmarked: transferTo(treasury, asked),
      less: concatHex([transferTo(treasury, asked - 1n), mark]),
      elsewhere: concatHex([transferTo(elsewhere, asked), mark]),
      reverted: concatHex([transferTo(treasury, parseEther('1000000')), mark]),
    }[how]
    const to = how === 'other token' ? sale.otherToken : sale.token
    const signed = how === 'of another wallet' ? undefined : await account.sign(to, call)
    const hash = signed === undefined ? await account.sendOfAnother(to, call) : await account.sendSigned(signed)
    this.sent.push({ hash, order, how, signed })
    if (this.point) this.point.blocks += 1
    count(`a transfer: ${how}`)
    return hash
  }

  private async report({ which, transfer, of }: StepOf<'report'>): Promise<void> {
    const order = this.orders[which % this.orders.length]
    if (!order) return
    const all = of === 'any' ? this.sent : this.sent.filter((one) => one.order === order)
    const hash = of === 'none' ? keccak256(toHex(`${order.id}${transfer}`)) : all[transfer % all.length]?.hash
    if (hash !== undefined) await this.name(order, hash, of === 'it by a stranger')
  }

  private async name({ id }: Quoted, hash: Hex, isStranger = false): Promise<void> {
    const { buyer, stranger, count } = this.deps
    const { status, body } = await (isStranger ? stranger : buyer).post(`${payment}/${id}/transaction`, { hash })
    const { code, status: end } = body as { code?: string; status?: string }
    const good = isStranger ? [404] : [200, 400, 409, 410, ...(this.isUncertain ? [502] : [])]
    if (!good.includes(status)) throw new Error(`a report was answered with ${status} ${code}`)
    count(`a report: ${isStranger ? 'of a stranger' : (code ?? end)}`)
  }

  /** Drops all blocks of this moment, none of which is deep enough to count. Some of the transfers come again, in other blocks. */
  private async reorganise(again: number): Promise<void> {
    const { account, sale, count } = this.deps
    const { point } = this
    if (!point || point.blocks === 0 || point.blocks >= confirmations) return
    this.point = undefined
    await sale.chain.restore(point.id)
    count('a reorganised block')
    const dropped = this.sent.slice(point.sent).flatMap(({ signed }) => (signed === undefined ? [] : [signed]))
    for (const signed of dropped.slice(0, again)) {
      await account.sendSigned(signed)
      count('a transfer that came again')
    }
  }

  /** `at`: the time of its block, in milliseconds. */
  private pays({ order: of, how }: Transfer, order: Quoted, at: number | undefined): boolean {
    if (at === undefined || at < order.from - chainClockMs || at > order.until + chainClockMs) return false
    // Whoever has a wallet for an account needs no mark: what is too little for what it was sent for may be enough for something cheaper.
    if (this.deps.isWallet) return ['right', 'unmarked', 'less'].includes(how) && of.asked - (how === 'less' ? 1n : 0n) >= order.asked
    return (how === 'right' || how === 'of another wallet') && of === order
  }

  /** Of the transfers that are deep enough in the chain. */
  private async times(): Promise<Map<Hex, number>> {
    const { chain } = this.deps.sale
    const head = BigInt((await chain.ask('eth_blockNumber', [])) as Hex)
    const times = new Map<Hex, number>()
    for (const { hash } of this.sent) {
      const receipt = (await chain.ask('eth_getTransactionReceipt', [hash])) as { blockNumber: Hex } | null
      if (!receipt || head - BigInt(receipt.blockNumber) + 1n < confirmations) continue
      const { timestamp } = (await chain.ask('eth_getBlockByNumber', [receipt.blockNumber, false])) as { timestamp: Hex }
      times.set(hash, Number(timestamp) * 1_000)
    }
    return times
  }
}

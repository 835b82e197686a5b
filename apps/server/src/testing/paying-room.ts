import { charge, type Nano, parseCost, parseMarkup, parsePrice } from '@parley/contract/money'
import { LedgerService } from '../features/credits/public/ledger'
import { type ChatClient, Visitor } from './chat-client'
import { buildChatApp, type ChatApp } from './chat-setups'
import { aPerson, type Client } from './person'

export const large = 'stand-in/large'
export const prices = { prompt: known(parsePrice('0.000001')), completion: known(parsePrice('0.000002')) }
export const plain = known(parseMarkup(1))

export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this is known')
  return value
}

export async function aChannel(person: Client): Promise<string> {
  return ((await person.post('/api/channel', {})).body as { data: { id: string } }).data.id
}

export const priceOf = (cost: number | string, markup: number | string = 1): Nano =>
  charge(known(parseCost(cost)), known(parseMarkup(markup)))

export async function aPayingRoom(
  setup: Parameters<typeof buildChatApp>[0],
  env: Record<string, string> = {},
  options: { now?: () => number } = {},
) {
  const app = await buildChatApp(setup, {
    env: { SIGNUP_CREDITS: '10', RATE_LIMIT_SCALE: '0', ANON_DAILY_MESSAGES: '1', ...env },
    ...options,
  })
  const ana = await aPerson(app, 'ana@example.org')
  const ledger = new LedgerService({ db: app.db, now: Date.now })
  const userId = ana.answer.user.id
  const client = await connect(app, ana)
  return { app, ana, userId, ledger, client, balance: () => ledger.balance(userId) }
}
export const connect = (app: ChatApp, person: Client): Promise<ChatClient> =>
  new Visitor(person.tokens?.access_token).connect(app)

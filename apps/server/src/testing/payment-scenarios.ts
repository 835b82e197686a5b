import type { ProviderFault, SimulationMoment, SimulationStep, StepOf } from './simulation-steps'

const start = (method: 'card' | 'pix', amount: number, key: number | null = null): SimulationStep => ({
  kind: 'start',
  method,
  dollars: amount,
  key,
})
const pay = (how: StepOf<'pay'>['how'] = 'right'): SimulationStep => ({ kind: 'pay', which: 0, how, after: 0 })
const refund = (how: StepOf<'refund'>['how'], tenths = 5): SimulationStep => ({
  kind: 'refund',
  which: 0,
  how,
  tenths,
  after: 0,
})
const expire: SimulationStep = { kind: 'expire', which: 0, after: 0 }
const webhook = (
  how: StepOf<'webhook'>['how'] = 'new',
  type: StepOf<'webhook'>['type'] = 'checkout.session.completed',
): SimulationStep => ({ kind: 'webhook', which: 0, how, type })
const check = (isStranger: boolean): SimulationStep => ({ kind: 'check', which: 0, isStranger })
const spend = (kind: 'hold' | 'settle'): SimulationStep => ({ kind, message: 0, cents: 120 })
const quote = (amount: number): SimulationStep => ({ kind: 'quote', dollars: amount })
const transfer = (how: StepOf<'transfer'>['how'] = 'right', isReported = true): SimulationStep => ({
  kind: 'transfer',
  which: 0,
  how,
  isReported,
})
const report = (of: StepOf<'report'>['of'] = 'it'): SimulationStep => ({ kind: 'report', which: 0, transfer: 0, of })
const confirm: SimulationStep = { kind: 'mine', blocks: 12 }

/** Concurrent steps, without faults unless `more` has some. */
const moment = (steps: SimulationStep[], more: Partial<SimulationMoment> = {}): SimulationMoment => ({
  steps,
  card: null,
  pix: null,
  token: null,
  minutes: 0,
  ...more,
})
/** One moment for each step. */
const inTurn = (...steps: SimulationStep[]): SimulationMoment[] => steps.map((step) => moment([step]))
const rateLimit = (isDone: boolean): ProviderFault => ({ status: 429, every: 1, isDone })

/** `shows` is what the tally and the ledger must contain afterwards, so that the scenario has really happened. */
export type Scenario = {
  title: string
  moments: SimulationMoment[]
  isWallet?: boolean
  isDebtPaid?: boolean
  shows: string[]
}

/** Scenarios that random steps seldom reach. */
export const scenarios: Scenario[] = [
  {
    title: 'a card payment that goes back in part, comes again, and goes back as a whole',
    moments: inTurn(
      start('card', 3),
      pay(),
      webhook(),
      refund('part', 3),
      webhook('new', 'charge.refunded'),
      refund('failed', 1),
      webhook('again'),
      refund('whole'),
    ),
    shows: [
      'a start answered 201',
      'a refund: part at card',
      'a refund: failed at card',
      'a refund: whole at card',
      'a repeated webhook',
      'an order refunded',
    ],
  },
  {
    title: 'a card payment that is disputed and won',
    moments: inTurn(
      start('card', 3),
      pay(),
      webhook(),
      refund('dispute'),
      webhook('new', 'charge.dispute.created'),
      refund('won'),
      webhook('new', 'charge.dispute.closed'),
    ),
    shows: [
      'a refund: dispute at card',
      'a refund: won at card',
      'an order completed',
      'a purchase of the ledger',
      'a refund of the ledger',
    ],
  },
  {
    title: 'a card payment that is disputed and lost, and one with a warning only',
    moments: inTurn(
      start('card', 3),
      pay(),
      webhook(),
      refund('dispute'),
      refund('lost'),
      webhook('new', 'charge.dispute.closed'),
      start('card', 2),
      pay(),
      refund('warning'),
    ),
    shows: ['a refund: lost at card', 'a refund: warning at card', 'an order refunded', 'an order completed'],
  },
  {
    title: 'a Pix payment of which a part is kept',
    moments: inTurn(start('pix', 4), pay(), webhook(), refund('part', 4), webhook()),
    shows: ['a refund: part at pix', 'an order kept in part'],
  },
  {
    title: 'a Pix payment that is disputed and won, and one that goes back',
    moments: inTurn(
      start('pix', 4),
      pay(),
      webhook(),
      refund('dispute'),
      webhook(),
      refund('won'),
      webhook(),
      start('pix', 2),
      pay(),
      refund('whole'),
    ),
    shows: ['a refund: dispute at pix', 'a refund: won at pix', 'a refund: whole at pix'],
  },
  {
    title: 'payments of too little, in another currency and for something else',
    moments: inTurn(
      start('card', 2),
      pay('less'),
      webhook(),
      start('pix', 3),
      pay('foreign'),
      start('card', 4),
      pay('moved'),
    ),
    shows: ['an order paid wrongly'],
  },
  {
    title: 'purchases that are never paid, and whose start was lost or refused',
    moments: [
      ...inTurn(start('card', 2), expire, start('pix', 1, 1), start('pix', 2, 1), {
        kind: 'invalid',
        method: 'card',
        amount: '1e400',
      }),
      moment([start('pix', 5)], { pix: rateLimit(true) }),
    ],
    shows: [
      'an order expired',
      'an order failed',
      'a start answered 422',
      'a start answered 502',
      'a refused amount',
      'a call that failed',
    ],
  },
  {
    title: 'notices that are forged, altered, old or of somebody else, and looks of a stranger',
    moments: [
      ...inTurn(
        start('card', 2),
        pay(),
        webhook('forged'),
        webhook('altered'),
        webhook('old'),
        webhook('stranger'),
        check(true),
        check(false),
      ),
      moment([webhook()], { card: rateLimit(false) }),
    ],
    shows: [
      ...['forged', 'altered', 'old', 'stranger'].map((how) => `a webhook: ${how}`),
      ...['a refused webhook', 'a webhook to be repeated', 'a stranger’s check', 'an order completed'],
    ],
  },
  {
    title: 'credits that are spent before their money goes back, and a debt that stays',
    moments: inTurn(spend('hold'), spend('settle'), start('card', 5), pay(), webhook()),
    isDebtPaid: false,
    shows: ['a hold', 'a settle', 'a settle of the ledger', 'a debt'],
  },
  {
    title: 'a debt that the next purchase pays off',
    moments: inTurn(start('card', 5), pay(), webhook()),
    shows: ['a owed of the ledger', 'an order completed', 'an order refunded'],
  },
  {
    title: 'tokens that are sent as asked, and in every wrong way',
    moments: [
      ...inTurn(quote(1), transfer(), confirm, report('it by a stranger'), report()),
      ...(['unmarked', 'less', 'elsewhere', 'other token', 'reverted'] as const).flatMap((how) =>
        inTurn(quote(1), transfer(how), confirm, report('any')),
      ),
    ],
    shows: [
      ...['right', 'unmarked', 'less', 'elsewhere', 'other token', 'reverted'].map((how) => `a transfer: ${how}`),
      ...['completed', 'of a stranger', 'payment.unconfirmed', 'payment.token-failed'].map((how) => `a report: ${how}`),
      ...['a quote', 'a token order completed', 'a token order expired'],
    ],
  },
  {
    title: 'tokens of another wallet than the one that signed in, and one transfer for two purchases',
    moments: inTurn(
      quote(1),
      transfer('of another wallet'),
      confirm,
      report(),
      quote(1),
      transfer(),
      confirm,
      report(),
    ),
    isWallet: true,
    shows: ['a transfer: of another wallet', 'a report: payment.wrong-account', 'a transfer that was named again'],
  },
  {
    title: 'tokens whose block is dropped, and which come again in another one',
    moments: [
      ...inTurn(quote(2)),
      moment([transfer('right', false), { kind: 'reorganise', again: 1 }]),
      ...inTurn(confirm, report()),
    ],
    shows: ['a reorganised block', 'a transfer that came again', 'a token order completed'],
  },
]

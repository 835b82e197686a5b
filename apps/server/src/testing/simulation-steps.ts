import fc from 'fast-check'
import { refunds } from './simulated-order'

// What can happen while a person buys credits and spends them. Orders, keys and messages are few and have numbers, so
// that steps repeat them.
const which = fc.nat(11)
const method = fc.constantFrom('card' as const, 'pix' as const)
const dollars = fc.integer({ min: 1, max: 5 })
/** After how many answered calls a change happens at the provider: these answers do not show it yet. */
const after = fc.constantFrom(0, 0, 1, 2, 3)

const Step = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('start' as const), method, dollars, key: fc.constant(null) }),
      // An idempotency key mostly comes with the same order as before.
      fc.record({ key: fc.nat(5), more: fc.constantFrom(0, 0, 0, 0, 1) }).map(({ key, more }) => ({
        kind: 'start' as const,
        method: key % 2 === 0 ? ('card' as const) : ('pix' as const),
        dollars: 1 + key + more,
        key,
      })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('invalid' as const),
      method,
      amount: fc.constantFrom(
        '-5',
        '0',
        '0.99',
        '5.001',
        '1e-300',
        '1e300',
        '1e400',
        '-1e400',
        'NaN',
        '"5"',
        'null',
        '[5]',
        '{"amount":5}',
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      which,
      how: fc.constantFrom('right', 'right', 'right', 'right', 'less', 'foreign', 'moved'),
      after,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      which,
      how: fc.constantFrom(...refunds, 'part', 'part', 'failed', 'dispute', 'won', 'lost'),
      tenths: fc.integer({ min: 1, max: 9 }),
      after,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), which, after }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('webhook' as const),
      which,
      how: fc.constantFrom('new', 'new', 'new', 'again', 'again', 'forged', 'altered', 'old', 'stranger'),
      type: fc.constantFrom(
        'checkout.session.completed',
        'checkout.session.expired',
        'charge.refunded',
        'charge.dispute.created',
        'charge.dispute.closed',
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const), which, isStranger: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      message: fc.nat(9),
      cents: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      message: fc.nat(9),
      cents: fc.integer({ min: 0, max: 1_200 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('quote' as const), dollars }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      which,
      how: fc.constantFrom(
        'right',
        'right',
        'right',
        'unmarked',
        'less',
        'elsewhere',
        'other token',
        'reverted',
        'of another wallet',
        'of another wallet',
      ),
      isReported: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      which,
      transfer: fc.nat(11),
      of: fc.constantFrom('it', 'it', 'it', 'it', 'any', 'any', 'none', 'it by a stranger'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.constantFrom(1, 4, 12, 12) }) },
  // So many of the transfers whose blocks are dropped are mined again.
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('reorganise' as const), again: fc.integer({ min: 0, max: 3 }) }),
  },
)

/**
 * Fails one of every so many calls, before or after the provider has processed it. Stripe's library retries only after
 * a 5xx.
 */
const Fault = fc.record({
  status: fc.constantFrom(...Array<429>(9).fill(429), 503),
  every: fc.integer({ min: 1, max: 3 }),
  isDone: fc.boolean(),
})
const fault = fc.option(Fault, { freq: 2 })

/**
 * Concurrent steps, faults of the providers and of the chain's node meanwhile, and the minutes until the next moment.
 */
const Moment = fc.record({
  steps: fc.array(Step, { minLength: 6, maxLength: 14 }),
  card: fault,
  pix: fault,
  token: fault,
  minutes: fc.constantFrom(0, 0, 1, 1, 2, 2, 4, 11, 11, 31, 1_500),
})

export const SimulationMoments = fc.array(Moment, { minLength: 8, maxLength: 12 })

export type SimulationStep = typeof Step extends fc.Arbitrary<infer S> ? S : never
/** The steps of a kind. */
export type StepOf<K extends SimulationStep['kind']> = Extract<SimulationStep, { kind: K }>
export type ProviderFault = typeof Fault extends fc.Arbitrary<infer F> ? F : never
export type SimulationMoment = typeof Moment extends fc.Arbitrary<infer M> ? M : never

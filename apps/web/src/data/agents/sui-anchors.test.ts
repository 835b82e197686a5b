import type { ErrorCode } from '@parley/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aUser, tokens } from '../../testing/seed-session'
import { someAgent } from '../../testing/some-agents'
import { forgetSession, storeSession } from '../session/stored-session'
import { connectSui } from '../wallets/wallet-standard'
import { type AnchorSentError, anchorSuiAgent } from './sui-anchors'

vi.mock('../wallets/wallet-standard', () => ({ connectSui: vi.fn(), connectSolana: vi.fn() }))

const address = `0x${'7f3a'.repeat(16)}`
const id = `0x${'ab'.repeat(32)}`
const anchoring = { package: `0x${'a1'.repeat(32)}`, network: 'testnet' } as const
const head = { manifest: JSON.stringify({ version: 2, address }), signature: '' }
const digest = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const anchor = {
  version: 2,
  transaction: digest,
  bytes: '',
  signature: '',
  checkpoint: '7',
  at: '2026-11-23T06:00:00.000Z',
  chain: 'confirmed',
}

const send = vi.fn(async (_transaction: string, _network: string) => digest)
/** What the page has told the server, and what it answers: the anchors that it has, or why not. */
let told: unknown[]
let answer: (body: { transaction?: string }) => unknown[] | ErrorCode

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.mocked(connectSui).mockImplementation(async () => ({ address, sign: async () => '', send }))
  told = []
  send.mockClear()
  storeSession(aUser({ email: `${address}@sui`, app_metadata: { kind: 'sui' } }), tokens, 'web3')
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    if (init?.method !== 'POST') return Response.json({ agent: someAgent({ _id: id, source: 'sui' }), head })
    const body = JSON.parse(String(init.body)) as { transaction?: string }
    told.push(body)
    const answered = answer(body)
    if (typeof answered === 'string')
      return Response.json({ success: false, code: answered, message: '', status: 409 }, { status: 409 })
    return Response.json({ anchors: answered })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  forgetSession()
})

const settled = async <T>(promise: Promise<T>): Promise<T | Error> => {
  const outcome = promise.catch((error: Error) => error)
  await vi.runAllTimersAsync()
  return outcome
}

it('what its wallet has anchored before is found, and nothing is sent', async () => {
  answer = () => [anchor]
  await settled(anchorSuiAgent(id, anchoring))
  expect([told, send.mock.calls]).toEqual([[{}], []])
})

it('a chain that shows the transaction late is asked again', async () => {
  const late: ErrorCode[] = ['sui.anchor-pending', 'sui.anchor-pending']
  answer = ({ transaction }) => (transaction === undefined ? [] : (late.shift() ?? [anchor]))
  expect(await settled(anchorSuiAgent(id, anchoring))).toBeUndefined()
  expect(told).toEqual([{}, ...Array(3).fill({ transaction: digest })])
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(anchoring.package), 'testnet')
})

it('a transaction that the chain does not show in time is not sent twice', async () => {
  answer = ({ transaction }) => (transaction === undefined ? [] : 'sui.anchor-pending')
  const error = await settled(anchorSuiAgent(id, anchoring))
  expect(error).toMatchObject({ name: 'AnchorSentError', transaction: digest })
  answer = () => [anchor]
  expect(await settled(anchorSuiAgent(id, anchoring, (error as AnchorSentError).transaction))).toBeUndefined()
  expect(send).toHaveBeenCalledOnce()
})

it('one that failed on the chain is told at once', async () => {
  answer = ({ transaction }) => (transaction === undefined ? [] : 'sui.anchor-failed')
  expect(await settled(anchorSuiAgent(id, anchoring))).toMatchObject({ code: 'sui.anchor-failed' })
  expect(told).toHaveLength(2)
})

// Random chats with branches, in a device's storage and in the real cloud: whatever becomes of them, no version is
// lost.
import type { Message } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { type ConversationCopy, tidied } from '@parley/contract/tree-copies'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomTree } from '../apps/server/src/testing/random-trees'
import { anAnswer, answered, askedAgain } from '../apps/web/src/data/channels/version-suite'
import { aChannel, cut, exported, imported, theWeb, told, useBothHomes, whole, wipe } from './both-homes'

const isDeep = process.env.TEST_DEPTH === 'deep'
/** Each of the 10,000 orders takes a fifth of a second. */
const deepMs = isDeep ? 2 * 60 * 60_000 : 60_000

useBothHomes()

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const aRun = (n: number, { id: exchangeId, askedAt: startedAt }: { id: string; askedAt: string }, more = {}): Run => ({
  ...{ id: uuid(n), channelId: 'elsewhere', exchangeId, answer: [], status: 'completed', startedAt, ...more },
})
const anExchange = (n: number, afterRunId: string | null): ExchangeWithRuns => {
  const [id, askedAt] = [uuid(n), `2026-01-01T00:00:0${n}.000Z`]
  const exchange = { id, channelId: 'elsewhere', afterRunId, question: [], askedAt }
  return { exchange, runs: [aRun(n + 100, exchange)] }
}
/** Nothing is shown of what follows. */
const readUpToTheFirst: ConversationCopy = {
  exchanges: [anExchange(1, null), anExchange(2, uuid(101))],
  head: uuid(101),
}

const [cutOff, followUp] = [anExchange(1, null), anExchange(2, uuid(101))]
const goesOn = aRun(103, { id: uuid(1), askedAt: '2026-01-01T00:00:03.000Z' }, { continues: uuid(101) })
/** An answer that was cut off went on when there was a question after it already. */
const goesOnAfterAFollowUp: ConversationCopy = {
  exchanges: [
    { ...cutOff, runs: [...cutOff.runs, goesOn, aRun(104, { id: uuid(1), askedAt: '2026-01-01T00:00:04.000Z' })] },
    followUp,
  ],
  head: uuid(102),
}

describe('a chat with branches', () => {
  it('is the same after it was moved there and back', async () => {
    const { localChannels, moveToCloud, moveToDevice } = await theWeb()
    await fc.assert(
      fc.asyncProperty(fc.boolean().chain(randomTree), async (tree) => {
        await wipe()
        const channel = await aChannel()
        const { exchanges, head } = tidied(tree)
        await localChannels.importChannel(channel, exchanges, { isReplacing: true, head: head ?? undefined })
        const before = told(await whole(channel.id))
        expect(before).toEqual(told(tree))
        const inCloud = await moveToCloud(channel)
        expect(told(await whole(channel.id))).toEqual(before)
        await moveToDevice(inCloud)
        expect(told(await whole(channel.id))).toEqual(before)
        expect(await localChannels.list()).toHaveLength(1)
      }),
      { numRuns: isDeep ? 1_000 : 8, examples: [[goesOnAfterAFollowUp]] },
    )
  })

  it('is the same after it was exported from either home and imported into either', async () => {
    const { localChannels, moveToCloud } = await theWeb()
    await fc.assert(
      fc.asyncProperty(
        fc.boolean().chain(randomTree),
        fc.constantFrom('local' as const, 'cloud' as const),
        fc.constantFrom('local' as const, 'cloud' as const),
        async (tree, from, to) => {
          await wipe()
          const channel = await aChannel()
          const { exchanges, head } = tidied(tree)
          await localChannels.importChannel(channel, exchanges, { isReplacing: true, head: head ?? undefined })
          const before = told(await whole(channel.id))
          if (from === 'cloud') await moveToCloud(channel)
          const file = await exported(from)
          // Into what is there, which becomes no more of it; then into nothing.
          expect((await imported(file, to, 'merge')).errors).toEqual([])
          expect(told(await whole(channel.id)).exchanges).toEqual(before.exchanges)
          await imported(file, to)
          await wipe()
          expect((await imported(file, to)).errors).toEqual([])
          const { cloudChannels } = await theWeb()
          const [made] = to === 'local' ? await localChannels.list() : await cloudChannels.list()
          expect(told(await whole(made?.id ?? ''))).toEqual(before)
        },
      ),
      { numRuns: isDeep ? 1_000 : 8 },
    )
  })
})

describe('a chat with branches that an import replaced', () => {
  it.each(['local', 'cloud'] as const)(
    'is there again with every version once the import is undone: %s',
    async (mode) => {
      const { localChannels, moveToCloud } = await theWeb()
      const { undoImport } = await import('../apps/web/src/data/transfer/undo-import')
      await fc.assert(
        fc.asyncProperty(randomTree(), async (tree) => {
          const { exchanges, head } = tidied(tree)
          fc.pre(head !== null)
          await wipe()
          const channel = await aChannel()
          await localChannels.importChannel(channel, exchanges, { isReplacing: true, head: head ?? undefined })
          if (mode === 'cloud') await moveToCloud(channel)
          const before = told(await whole(channel.id))
          const said = {
            mId: 'new',
            chat_request: 'New?',
            chat_response: { content: 'New.' },
            datetime: channel.created_at,
          }
          const chats = { [channel.id]: [said] }
          const file = { channels: [channel], chats, exportedAt: channel.created_at, version: '1.0' }
          await imported(new File([JSON.stringify(file)], 'chats.json'), mode)
          expect(told(await whole(channel.id)).exchanges).toHaveLength(1)
          expect(await undoImport()).toBe(1)
          const after = told(await whole(channel.id))
          // What was added since stays.
          expect(after.exchanges.filter(({ exchange }) => exchange.id !== 'new')).toEqual(before.exchanges)
          expect(after.exchanges).toHaveLength(before.exchanges.length + 1)
          expect(after.head).toBe(before.head)
        }),
        { numRuns: isDeep ? 200 : 4, examples: [[readUpToTheFirst]] },
      )
    },
  )
})

const step = fc.record({
  kind: fc.constantFrom('ask', 'edit', 'again', 'stop', 'show', 'remove', 'branch', 'pin', 'move', 'move', 'file'),
  at: fc.nat(1_000),
  /** The call at which a move is cut off, and begun again. */
  cutAt: fc.option(fc.nat(12), { nil: undefined }),
  isAfter: fc.boolean(),
} as const)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What there must be: each version of each message, and what it follows. */
type Model = Map<string, { runs: Set<string>; after: string | null; isPinned: boolean }>

describe('any order of asking, editing, stopping, choosing, deleting, moving and exporting in both homes', () => {
  it(
    'loses no version, has none twice, and shows a path that is there',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          await wipe()
          const { id } = await aChannel()
          const model: Model = new Map()
          for (const each of steps) {
            await take(id, each, model)
            await agrees(id, model)
          }
        }),
        { numRuns: isDeep ? 10_000 : 15 },
      )
    },
    deepMs,
  )
})

async function take(id: string, { kind, at, cutAt, isAfter }: Step, model: Model): Promise<void> {
  const { cloudChannels, localChannels, moveToCloud, moveToDevice } = await theWeb()
  const here = await localChannels.get(id)
  const home = here ? localChannels : cloudChannels
  const shown = (await home.messages(id, { limit: 100 })).messages
  const message = shown[at % Math.max(1, shown.length)]
  const any = [...model.keys()][at % Math.max(1, model.size)]
  const last = shown.at(-1)
  if (kind === 'ask') await write(id, { text: `q${model.size}`, after: last ? runIdOf(last) : null }, model)
  else if (kind === 'move') {
    const channel = (await home.get(id)) ?? fail()
    Object.assign(cut, { calls: cutAt ?? Number.POSITIVE_INFINITY, isAfter })
    const move = () => (here ? moveToCloud(channel) : moveToDevice(channel))
    await move().catch(() => undefined)
    cut.calls = Number.POSITIVE_INFINITY
    // What was cut off is begun again, where it was not done.
    if (here ? await localChannels.get(id) : await cloudChannels.get(id)) await move()
  } else if (kind === 'file') {
    const mode = here ? 'local' : 'cloud'
    const file = await exported(mode)
    if (here) await localChannels.remove(id)
    else await cloudChannels.remove(id)
    expect((await imported(file, mode)).errors).toEqual([])
  } else if (!message || any === undefined) return
  else if (kind === 'edit') await write(id, { text: `e${model.size}`, after: message.afterRunId ?? null }, model)
  else if (kind === 'again' || kind === 'stop') await again(id, message, kind === 'stop', model)
  else if (kind === 'show') await home.show(id, { mId: any })
  else if (kind === 'pin') {
    await home.setPinned(id, any, true)
    Object.assign(model.get(any) ?? fail(), { isPinned: true })
  } else if (kind === 'remove') {
    await home.removeMessage(id, any)
    const parent = model.get(any)?.after ?? null
    model.delete(any)
    for (const entry of model.values()) if (entry.after === any) entry.after = parent
  } else {
    await home.removeBranch(id, any)
    const gone = new Set([any])
    for (let size = 0; size !== gone.size; ) {
      size = gone.size
      for (const [mId, { after }] of model) if (after !== null && gone.has(after)) gone.add(mId)
    }
    for (const mId of gone) model.delete(mId)
  }
}

const fail = (): never => {
  throw new Error('nothing there')
}
const runIdOf = ({ run, mId, versions }: Message): string => versions?.answer ?? run?.messageId ?? mId

async function exchangeOfRun(id: string, runId: string | null): Promise<string | null> {
  const { exchanges } = await whole(id)
  return exchanges.find(({ runs }) => runs.some((run) => run.id === runId))?.exchange.id ?? null
}

/** A question with its answer: on the device as the chat stores it, in the cloud as its server does. */
async function write(id: string, { text, after }: { text: string; after: string | null }, model: Model): Promise<void> {
  const { cloudChannels, localChannels } = await theWeb()
  const parent = await exchangeOfRun(id, after)
  const message = anAnswer(id, text, { datetime: new Date().toISOString() })
  if (await localChannels.get(id)) await localChannels.put({ ...message, afterRunId: after })
  else await cloudChannels.addTree(id, { exchanges: [itemOf(message, after)], head: message.mId })
  model.set(message.mId, { runs: new Set([message.mId]), after: parent, isPinned: false })
}

const itemOf = (
  { mId, chat_request, chat_response, datetime }: Message,
  afterRunId: string | null,
): ExchangeWithRuns => ({
  exchange: {
    id: mId,
    channelId: 'c',
    afterRunId,
    question: [{ type: 'text', text: chat_request }],
    askedAt: datetime,
  },
  runs: [
    {
      ...{ id: mId, channelId: 'c', exchangeId: mId, status: 'completed', startedAt: datetime, seq: 3 },
      answer: [{ type: 'text', text: chat_response.content }],
    },
  ],
})

async function again(id: string, message: Message, isStopped: boolean, model: Model): Promise<void> {
  const { cloudChannels, localChannels } = await theWeb()
  const asked = askedAgain(message)
  const runId = asked.run?.messageId ?? fail()
  const status = isStopped ? ('stopped' as const) : ('completed' as const)
  if (await localChannels.get(id)) {
    await localChannels.put(asked)
    await localChannels.put({ ...answered(asked, `again ${runId}`), status })
  } else {
    const found = (await whole(id)).exchanges.find(({ exchange }) => exchange.id === message.mId) ?? fail()
    const run = { ...(found.runs[0] ?? fail()), id: runId, status, startedAt: new Date().toISOString() }
    await cloudChannels.addTree(id, { exchanges: [{ ...found, runs: [run] }], head: runId })
  }
  model.get(message.mId)?.runs.add(runId)
}

async function agrees(id: string, model: Model): Promise<void> {
  const { cloudChannels, localChannels } = await theWeb()
  const [here, there] = [await localChannels.get(id), await cloudChannels.get(id)]
  expect(Number(here !== undefined) + Number(there !== undefined)).toBe(1)
  const { exchanges, head } = await whole(id)
  const owners = new Map(exchanges.flatMap(({ exchange, runs }) => runs.map((run) => [run.id, exchange.id])))
  const found = exchanges.map(({ exchange, runs }) => [
    exchange.id,
    runs.map((run) => run.id).toSorted(),
    exchange.afterRunId === null ? null : owners.get(exchange.afterRunId),
    exchange.isPinned ?? false,
  ])
  const wanted = [...model].map(([mId, { runs, after, isPinned }]) => [mId, [...runs].toSorted(), after, isPinned])
  const byId = (list: unknown[][]) => list.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  expect(byId(found)).toEqual(byId(wanted))
  expect(owners.size).toBe(exchanges.flatMap(({ runs }) => runs).length)
  if (head !== null) expect(owners.has(head)).toBe(true)
  const { messages, total } = await (here ? localChannels : cloudChannels).messages(id, { limit: 100 })
  expect(total).toBe(messages.length)
  expect(messages.length > 0).toBe(model.size > 0)
  expect(messages.map(({ mId }) => model.get(mId)?.after)).toEqual(
    [null, ...messages.map(({ mId }) => mId)].slice(0, messages.length),
  )
}

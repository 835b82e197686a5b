import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import { pathTo, questionVersions, treeOf, versionOf } from '@parley/contract/conversation-tree'
import type { Exchange, Run } from '@parley/contract/conversations'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runsOf } from '../../testing/depth'
import { seedSession } from '../../testing/seed-session'
import type { Device } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { anAnswer, answered, askedAgain, restored } from './version-suite'

let channelId = ''
let device: Device
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  device = await openDevice()
  for (const name of device.db.objectStoreNames) if (name !== 'meta') await device.db.clear(name)
  channelId = (await localChannels.create({ assistantId: null, channelName: 'Plans' })).id
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

const ask = async (text: string, fields: Partial<Message> = {}, store = localChannels): Promise<Message> => {
  const message = anAnswer(channelId, text, fields)
  await store.put(message)
  return message
}
const find = async (mId: string): Promise<Message> => {
  const message = await localChannels.message(channelId, mId)
  if (!message) throw new Error('no message')
  return message
}
const edit = async ({ mId }: Message, text: string): Promise<Message> =>
  ask(text, { afterRunId: (await find(mId)).afterRunId ?? null })
const againOf = async ({ mId }: Message): Promise<Message> => {
  const again = askedAgain(await find(mId))
  await localChannels.put(again)
  return again
}
const said = async (id = channelId): Promise<string[]> =>
  (await localChannels.messages(id, { limit: 200 })).messages.map(({ chat_response }) => chat_response.content)
const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId
const chatOf = async () => (await device.db.getAll('chats')).find((chat) => chat.channelId === channelId)

describe('any order of asking, editing, asking anew, choosing, deleting and copying', () => {
  const step = fc.record({
    kind: fc.constantFrom('ask', 'edit', 'again', 'nothing', 'show', 'answer', 'remove', 'branch', 'copy', 'reload'),
    at: fc.nat(1_000),
    other: fc.nat(1_000),
  } as const)

  it('is the tree of the contract: every version is there, and the path leads to the head', async () => {
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> => {
      channelId = (await localChannels.create({ assistantId: null })).id
      let store = localChannels
      const exchanges = new Map<string, Exchange>()
      const runs = new Map<string, Run>()
      let texts = 0
      const keep = (message: Message, afterRunId: string | null): void => {
        const { mId, datetime } = message
        exchanges.set(mId, { id: mId, channelId, afterRunId, question: [], askedAt: datetime })
        keepRun(message)
      }
      const keepRun = (message: Message): void => {
        const id = runIdOf(message)
        const startedAt = String(runs.size).padStart(4, '0')
        const said = { answer: [], status: 'completed' as const, channelId, startedAt }
        runs.set(id, { ...said, id, exchangeId: message.mId })
      }
      /** The answer of before is shown by a run that goes on with it, and what followed it follows that. */
      const goesOn = (id: string, message: Message): void => {
        keepRun(message)
        runs.delete(id)
        for (const each of exchanges.values()) if (each.afterRunId === id) each.afterRunId = runIdOf(message)
      }
      for (const { kind, at, other } of steps) {
        const shown = (await store.messages(channelId, { limit: 200 })).messages
        const message = shown[at % Math.max(1, shown.length)]
        const any = [...exchanges.keys()][at % Math.max(1, exchanges.size)]
        const text = `t${++texts}`
        if (kind === 'ask')
          keep(await ask(text, {}, store), shown.length === 0 ? null : runIdOf(shown.at(-1) as Message))
        else if (kind === 'reload') store = new LocalChannelStore({ open: openDevice })
        else if (!message || any === undefined) continue
        else if (kind === 'edit') keep(await edit(message, text), message.afterRunId ?? null)
        else if (kind === 'again') {
          const again = await againOf(message)
          const done = answered(again, text)
          await store.put(done)
          keepRun(done)
        } else if (kind === 'nothing') {
          await store.put(restored(await againOf(message)))
          goesOn(runIdOf(message), await find(message.mId))
          expect((await store.messages(channelId, { limit: 200 })).messages.map(({ mId }) => mId)).toEqual(
            shown.map(({ mId }) => mId),
          )
        } else if (kind === 'show') await store.show(channelId, { mId: any })
        else if (kind === 'answer') {
          const { versions, mId } = message
          const runId = versions?.answers?.[other % versions.answers.length]
          if (runId === undefined) continue
          await store.show(channelId, { mId, runId })
          expect((await find(mId)).versions?.answer).toBe(runId)
        } else if (kind === 'copy') {
          const copy = await store.branch(channelId, { mId: message.mId })
          expect(await said(copy.id)).toEqual((await said()).slice(0, shown.indexOf(message) + 1))
          await store.remove(copy.id)
        } else if (kind === 'remove') {
          const parent = exchanges.get(any)?.afterRunId ?? null
          await store.removeMessage(channelId, any)
          exchanges.delete(any)
          for (const each of [...runs.values()]) if (each.exchangeId === any) runs.delete(each.id)
          for (const each of exchanges.values())
            if (each.afterRunId !== null && !runs.has(each.afterRunId)) each.afterRunId = parent
        } else {
          const tree = treeOf(exchanges.values(), runs.values())
          await store.removeBranch(channelId, any)
          for (const id of below(tree, any)) {
            exchanges.delete(id)
            for (const each of [...runs.values()]) if (each.exchangeId === id) runs.delete(each.id)
          }
        }
        await agrees(store, exchanges, runs)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), run), { numRuns: runsOf(200) })
  })

  const below = (tree: ReturnType<typeof treeOf>, id: string): string[] => {
    const ids = [id]
    for (const each of ids)
      for (const run of tree.runsOf(each)) ids.push(...tree.following(run.id).map((exchange) => exchange.id))
    return ids
  }

  /** Each exchange stands where the model has it, and the path of the store is one of the model's. */
  async function agrees(
    store: LocalChannelStore,
    exchanges: ReadonlyMap<string, Exchange>,
    runs: ReadonlyMap<string, Run>,
  ): Promise<void> {
    const outline = await store.outline(channelId)
    expect(outline.map(({ mId }) => mId).toSorted()).toEqual([...exchanges.keys()].toSorted())
    const page = await store.messages(channelId, { limit: 200 })
    expect(page.total).toBe(page.messages.length)
    expect(page.messages.length > 0).toBe(exchanges.size > 0)
    const parents = new Map<string, string | undefined>()
    for (const { id, afterRunId } of exchanges.values())
      parents.set(id, afterRunId === null ? undefined : runs.get(afterRunId)?.exchangeId)
    for (const { mId, afterMId } of outline) expect(afterMId).toBe(parents.get(mId) ?? null)
    const inOrder = page.messages.map(({ mId }) => mId)
    for (const [index, mId] of inOrder.entries()) expect(parents.get(mId)).toBe(inOrder[index - 1])
    const chat = await chatOf()
    if (chat?.head === undefined) return
    const tree = treeOf(exchanges.values(), runs.values())
    for (const message of page.messages) {
      const questions = questionVersions(tree, message.mId).map(({ id }) => id)
      expect(message.versions?.questions ?? [message.mId]).toEqual(questions)
    }
    expect(pathTo(tree, chat.head).length === 0 || versionOf(tree, chat.head) !== undefined).toBe(true)
  }
})

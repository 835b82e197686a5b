import { defaultChannelName } from '@parley/contract/channels'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { runsOf } from '../../testing/depth'
import { aMessage } from '../channels/channel-store-suite'
import { localChannels } from '../channels/local-channels'
import { exportChannels } from './export-channels'
import { importChannels } from './import-channels'

const signal = (): AbortSignal => new AbortController().signal
const yes = async (): Promise<boolean> => true
const nothing = (): void => undefined
const read = (file: File) => importChannels(file, { confirm: yes, onProgress: nothing, signal: signal() })
const file = (value: unknown): File =>
  new File([typeof value === 'string' ? value : JSON.stringify(value)], 'chats.json')
const asFile = (blob: Blob): File => new File([blob], 'channels.json')

async function wipe(): Promise<void> {
  for (const { id } of await localChannels.list()) {
    await localChannels.setLocked(id, false)
    await localChannels.remove(id)
  }
}

/** Everything that is stored, but for the moments at which it was written. */
async function everything(): Promise<unknown> {
  const channels = await localChannels.list()
  return Promise.all(
    channels
      .toSorted((a, b) => a.id.localeCompare(b.id))
      .map(async ({ updated_at: _at, ...channel }) => ({
        channel,
        messages: (await localChannels.messages(channel.id, { limit: 1_000 })).messages,
      })),
  )
}

beforeEach(wipe)

describe('the channels file', () => {
  it('brings back exactly what went out, whatever people write [CH-133, CH-134]', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('‮RTL', '🙂🇧🇷👩‍👩‍👧', '__proto__', '</script>', '"\\\n\u2028', '漢字 かな'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(text, text), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (chats) => {
          await wipe()
          for (const chat of chats) {
            const channel = await localChannels.create({ assistantId: null })
            for (const [question, answer] of chat)
              await localChannels.put(
                aMessage(channel.id, { chat_request: question, chat_response: { role: 'assistant', content: answer } }),
              )
          }
          const before = await everything()
          const { blob } = await exportChannels(nothing, signal())
          await wipe()
          const result = await read(asFile(blob))
          expect(result).toMatchObject({ channelsImported: chats.length, skipped: 0, errors: [] })
          expect(await everything()).toEqual(before)
        },
      ),
      { numRuns: runsOf(80) },
    )
  })

  it('has the shape, the version and the name of the specification [CH-134, CH-135]', async () => {
    const channel = await localChannels.create({ assistantId: null })
    await localChannels.put(aMessage(channel.id))
    const { blob, fileName, count } = await exportChannels(nothing, signal())
    const content = JSON.parse(await blob.text())
    expect(Object.keys(content)).toEqual(['channels', 'chats', 'exportedAt', 'version'])
    expect(content).toMatchObject({
      version: '1.0',
      channels: [{ id: channel.id }],
      chats: { [channel.id]: [{ chat_request: 'What?' }] },
    })
    expect(fileName).toMatch(/^parley_channels_\d{4}-\d\d-\d\d\.json$/)
    expect(count).toBe(1)
  })

  it('skips channels that are here already and leaves them as they are [CH-138]', async () => {
    const channel = await localChannels.create({ assistantId: null, channelName: 'Mine' })
    const { blob } = await exportChannels(nothing, signal())
    await localChannels.rename(channel.id, 'Renamed since')
    expect(await read(asFile(blob))).toMatchObject({ channelsImported: 0, skipped: 1 })
    expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Renamed since'])
  })

  it('gives a channel whose name is taken another one, and makes it the current person’s [CH-139]', async () => {
    await localChannels.create({ assistantId: null, channelName: 'Plans' })
    await read(
      file({
        channels: [
          { _id: 'x1', channelName: 'plans', userId: 'somebody-else', assistantId: { String: '', Valid: false } },
        ],
        chats: {},
        exportedAt: '',
        version: '1.0',
      }),
    )
    expect(await localChannels.get('x1')).toMatchObject({
      channelName: 'plans (2)',
      userId: null,
      isLocalChannel: true,
    })
  })

  it('understands the spellings of other versions', async () => {
    const messages = [
      {
        _id: 'm1',
        chat_request: 'q',
        chat_response: { role: 'assistant', content: 'a' },
        date: '2025-01-02T03:04:05Z',
      },
      { messageId: 'm2', chat_request: 'q2' },
    ]
    await read(file({ channels: [{ id: 'c1', channelName: defaultChannelName(new Date()) }], chats: { c1: messages } }))
    expect((await localChannels.messages('c1')).messages).toMatchObject([
      { mId: 'm1', chat_response: { content: 'a' }, datetime: '2025-01-02T03:04:05.000Z', status: 'completed' },
      { mId: 'm2', chat_response: { content: '' } },
    ])
  })

  it('asks before it writes, and writes nothing when the answer is no [CH-142]', async () => {
    let asked = 0
    const confirm = async (count: number): Promise<boolean> => {
      asked = count
      return false
    }
    await importChannels(file({ channels: [{ id: 'c1', channelName: 'x' }], chats: {} }), {
      confirm,
      onProgress: nothing,
      signal: signal(),
    })
    expect(asked).toBe(1)
    expect(await localChannels.list()).toEqual([])
  })

  it('can be cancelled in the middle', async () => {
    const controller = new AbortController()
    const cancelled = importChannels(file({ channels: [{ id: 'c1', channelName: 'x' }], chats: {} }), {
      confirm: yes,
      onProgress: () => controller.abort(),
      signal: controller.signal,
    })
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    expect(await localChannels.list()).toEqual([])
  })
})

describe('a file that is none [CH-137]', () => {
  const good = { id: 'c1', channelName: 'x' }
  it.each([
    ['is empty', ''],
    ['is no JSON', 'hello'],
    ['is cut off', '{"channels":[{"id":"c1","channelName":"x"}],"chats":{"c1":[{"chat_re'],
    ['goes on after its end', `${JSON.stringify({ channels: [good], chats: {} })}}`],
    ['has no channels', { chats: {} }],
    ['has no chats', { channels: [good] }],
    ['has channels of another kind', { channels: { c1: good }, chats: {} }],
    ['has chats of another kind', { channels: [good], chats: [] }],
    ['is a list', [good]],
    ['names a prototype as channel', '{"channels":[{"id":"__proto__","channelName":"x"}],"chats":{}}'],
    ['names a prototype as chat', '{"channels":[],"chats":{"__proto__":[{"chat_request":"x"}]}}'],
    ['names a constructor', '{"channels":[{"id":"constructor","channelName":"x"}],"chats":{}}'],
  ])('%s: it is refused and nothing is written', async (_what, content) => {
    await localChannels.create({ assistantId: null, channelName: 'Before' })
    await expect(read(file(content))).rejects.toMatchObject({ code: 'transfer.invalid' })
    expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Before'])
    expect(Object.prototype).not.toHaveProperty('chat_request')
  })

  it('reports entries that cannot be read, three at most, and takes the others', async () => {
    const bad = Array.from({ length: 5 }, () => ({ name: 'no id' }))
    const result = await read(file({ channels: [...bad, good], chats: {} }))
    expect(result.channelsImported).toBe(1)
    expect(result.errors).toHaveLength(3)
  })
})

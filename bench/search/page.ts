// The page under measurement: a device of many messages, and the search over it.
import type { Message } from '@parley/contract/chat'
import { LocalChannelStore } from '../../apps/web/src/data/channels/local-channel-store'
import { openDatabase } from '../../apps/web/src/data/local/database'
import type { Device } from '../../apps/web/src/data/local/device'
import { readExchanges } from '../../apps/web/src/data/local/exchange-records'
import { openMessage } from '../../apps/web/src/data/local/message-codec'
import { openDeviceVault } from '../../apps/web/src/data/local/vault'
import { type Answer, DeviceSearch } from '../../apps/web/src/data/search/device-search'

const name = 'bench-search'
const device: Device = {
  db: await openDatabase(name),
  vault: await openDeviceVault(name),
  userId: undefined,
  generation: 0,
  forget: () => undefined,
}
const store = new LocalChannelStore({ open: async () => device })
let search = new DeviceSearch(async () => device)

const longTasks: number[] = []
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
  type: 'longtask',
})

/** As often as words of a language are: a few in every message, most in hardly any. */
const syllables = ['ka', 'ri', 'mo', 'te', 'ção', 'lu', 'ne', 'bra', 'vi', 'so', 'ê', 'dor']
function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 12; rest > 0; rest = Math.floor(rest / 12)) word += syllables[rest % 12]
  return word
}
let seed = 1
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}
const someWords = (count: number): string =>
  Array.from({ length: count }, () => wordOf(Math.floor(30_000 ** random()))).join(' ')

const messageOf = (channelId: string, n: number): Message => ({
  mId: `${channelId}-${n}`,
  channelId,
  chat_request: someWords(15),
  chat_response: { role: 'assistant', content: someWords(180) },
  datetime: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  status: 'completed',
})

const find = (query: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    search.search({
      query,
      limit: 50,
      onAnswer: (answer) => {
        if (!answer.progress) resolve(answer)
      },
      onError: reject,
    })
  })

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const bench = {
  /** Answers how many characters there are to search. */
  async fill(channels: number, messagesEach: number): Promise<number> {
    let characters = 0
    for (let c = 0; c < channels; c++) {
      const { id } = await store.create({ assistantId: null, channelName: `Channel ${c}` })
      const messages = Array.from({ length: messagesEach }, (_, n) => messageOf(id, n))
      await store.addMessages(id, messages)
      characters += messages.reduce(
        (sum, { chat_request, chat_response }) => sum + chat_request.length + chat_response.content.length,
        0,
      )
    }
    return characters
  },
  /** The floor: to read and decrypt all messages and do nothing with them. */
  read: () =>
    timed(async () => {
      for (let from: IDBKeyRange | undefined; ; ) {
        const exchanges = await readExchanges(device.db.transaction(['exchanges', 'runs']), from, 100)
        await Promise.all(exchanges.map((stored) => openMessage(device.vault, stored)))
        const last = exchanges.at(-1)?.record
        if (!last) return
        from = IDBKeyRange.lowerBound([last.chatId, last.position], true)
      }
    }),
  /** From nothing to the answer of the first search. */
  build: () => {
    search.drop()
    search = new DeviceSearch(async () => device)
    return timed(() => find('karimo'))
  },
  query: (query: string) => timed(() => find(query)),
  /** After one more message was written. */
  async update(): Promise<number> {
    const [channel] = await store.list()
    if (!channel) throw new Error('no channel')
    await store.put({ ...messageOf(channel.id, 0), mId: `late-${performance.now()}` })
    return timed(() => find('te mo'))
  },
  takeLongTasks: (): number[] => longTasks.splice(0),
  words: (): string[] => [0, 3, 40, 500, 5_000].map(wordOf),
}

declare global {
  interface Window {
    bench: typeof bench
  }
}
window.bench = bench

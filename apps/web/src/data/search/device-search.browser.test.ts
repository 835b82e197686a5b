import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aMessage } from '../channels/channel-store-suite'
import { LocalChannelStore } from '../channels/local-channel-store'
import { announceHere } from '../local/changes'
import { openDatabase } from '../local/database'
import type { Device } from '../local/device'
import { openDeviceVault } from '../local/vault'
import { type Answer, DeviceSearch } from './device-search'

const opened: DeviceSearch[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const search of opened.splice(0)) search.drop()
})

async function deviceOf(name: string): Promise<Device> {
  return {
    db: await openDatabase(name),
    vault: await openDeviceVault(name),
    userId: undefined,
    generation: 0,
    forget: () => undefined,
  }
}

/** A device of its own, its channels, and the search over them. */
async function aDevice() {
  const name = `parley-search-${Math.random().toString(36).slice(2)}`
  const device = await deviceOf(name)
  const store = new LocalChannelStore({ open: async () => device })
  const search = new DeviceSearch(async () => device)
  opened.push(search)
  const answer = (query: string, limit = 50): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const onAnswer = (found: Answer): void => {
        if (!found.progress) resolve(found)
      }
      search.search({ query, limit, onAnswer, onError: reject })
    })
  const find = async (query: string): Promise<string[]> => (await answer(query)).hits.map(({ mId }) => mId).sort()
  const channel = async () => (await store.create({ assistantId: null })).id
  const put = (channelId: string, mId: string, question: string, rest: Partial<Message> = {}) =>
    store.put(
      aMessage(channelId, { mId, chat_request: question, chat_response: { role: 'assistant', content: '' }, ...rest }),
    )
  return { name, device, store, search, answer, find, channel, put }
}

const answered = (content: string): Partial<Message> => ({ chat_response: { role: 'assistant', content } })

describe('the search over this device', () => {
  it('finds every word by its beginning, in question and answer, whatever accents and capitals', async () => {
    const { answer, find, channel, put } = await aDevice()
    const id = await channel()
    await put(id, 'a', 'Onde fica a praça de São João?', answered('Fica no coração da cidade.'))
    await put(id, 'b', 'PRAÇAS e jardins')
    await put(id, 'c', 'Nothing of the kind', answered('ΟΔΟΣ Ελλάδα, Straße, ЁЛКА'))
    expect(await find('praca')).toEqual(['a', 'b'])
    expect(await find('PRAÇA coracao')).toEqual(['a'])
    expect(await find('raca')).toEqual([])
    expect(await find('οδος ελλ')).toEqual(['c'])
    expect(await find('елка strasse')).toEqual([])
    expect(await find('елка straß')).toEqual(['c'])
    const { hits } = await answer('joao PRACA')
    expect(hits).toMatchObject([{ channelId: id, mId: 'a' }])
    expect(hits.flatMap(({ passage, marks }) => marks.map(([from, to]) => passage.slice(from, to)))).toEqual([
      'praça',
      'João',
    ])
  })

  it('finds parts of texts that are written without spaces, and words of every other script', async () => {
    const { find, channel, put } = await aDevice()
    const id = await channel()
    await put(id, 'ja', '東京タワーはどこですか', answered('港区にあります。'))
    await put(id, 'zh', '大阪の天気 weather report')
    await put(id, 'th', 'ภาษาไทยยากไหม')
    await put(id, 'ko', '한국어 검색')
    await put(id, 'ar', 'البَحْثُ في الرسائل')
    await put(id, 'hi', 'हिन्दी में खोज')
    await put(id, 'he', 'חיפוש הודעות')
    await put(id, 'wide', 'ｆｕｌｌ １２３ 𝔣𝔯𝔞𝔨 𠀀𠀁 👩‍👩‍👧 ok')
    for (const [query, ids] of Object.entries({
      タワー: ['ja'],
      '天気 weath': ['zh'],
      気: ['zh'],
      どこタワー: [],
      ไทย: ['th'],
      한국: ['ko'],
      البحث: ['ar'],
      'हिन्दी खोज': ['hi'],
      הודע: ['he'],
      𠀀𠀁: ['wide'],
      '👩‍👩‍👧': [],
      '…!?': [],
    }))
      expect(await find(query), query).toEqual(ids)
  })

  it('gives the newest messages first, page by page', async () => {
    const { answer, channel, put } = await aDevice()
    const [one, two] = [await channel(), await channel()]
    for (let n = 0; n < 7; n++)
      await put(n % 2 ? one : two, `m${n}`, `needle ${n}`, {
        datetime: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(),
      })
    const first = await answer('needle', 3)
    expect(first.hits.map(({ mId }) => mId)).toEqual(['m6', 'm5', 'm4'])
    expect(first.hasMore).toBe(true)
    const all = await answer('needle', 10)
    expect(all.hits).toHaveLength(7)
    expect(all.hasMore).toBe(false)
  })

  it('knows at once what was written, changed, moved to another channel and deleted since', async () => {
    const { store, find, channel, put } = await aDevice()
    const id = await channel()
    const answerWith = (mId: string, text: string) => put(id, mId, 'What grows here?', answered(text))
    await answerWith('a', 'apple')
    expect(await find('apple')).toEqual(['a'])
    await answerWith('b', 'apple pie')
    expect(await find('apple')).toEqual(['a', 'b'])
    await answerWith('a', 'pear')
    expect(await find('apple')).toEqual(['b'])
    expect(await find('pear')).toEqual(['a'])
    await store.removeMessage(id, 'b')
    expect(await find('apple')).toEqual([])
    const other = await channel()
    await put(other, 'c', 'apple tree')
    expect(await find('apple')).toEqual(['c'])
    await store.clear(id)
    expect(await find('pear')).toEqual([])
    await store.remove(other)
    expect(await find('apple')).toEqual([])
  })

  it('goes on rightly after more was removed than is left', async () => {
    const { store, find, channel, put } = await aDevice()
    const [kept, big] = [await channel(), await channel()]
    await put(kept, 'kept', 'Yes?', answered('keep me'))
    const messages = Array.from({ length: 1_100 }, (_, n) =>
      aMessage(big, { mId: `m${n}`, chat_request: `word${n} common` }),
    )
    await store.addMessages(big, messages)
    announceHere({ kind: 'messages', channelId: big })
    expect(await find('word1099')).toEqual(['m1099'])
    await store.remove(big)
    expect(await find('common')).toEqual([])
    expect(await find('keep')).toEqual(['kept'])
    await put(kept, 'late', 'common again')
    expect(await find('common')).toEqual(['late'])
    await put(kept, 'kept', 'Yes?', answered('changed'))
    expect(await find('keep')).toEqual([])
    expect(await find('changed')).toEqual(['kept'])
  })

  it('passes over what cannot be read', async () => {
    const { device, find, channel, put } = await aDevice()
    const id = await channel()
    await put(id, 'a', 'readable words')
    await put(id, 'b', 'broken words')
    const record = (await device.db.getAll('exchanges')).find((each) => each.id === 'b')
    if (!record) throw new Error('no record')
    await device.db.put('exchanges', { ...record, c: new ArrayBuffer(40) })
    expect(await find('words')).toEqual(['a'])
  })

  it('takes only the newest search for an answer', async () => {
    const { search, answer, channel, put } = await aDevice()
    await put(await channel(), 'a', 'one two')
    const stale = vi.fn()
    search.search({ query: 'one', limit: 10, onAnswer: stale, onError: stale })
    expect((await answer('two')).hits).toHaveLength(1)
    expect(stale).not.toHaveBeenCalled()
  })

  it('reads each account alone: another one on the same page begins with nothing', async () => {
    const [ana, bruno] = [await aDevice(), await aDevice()]
    await ana.put(await ana.channel(), 'hers', 'shared word')
    await bruno.put(await bruno.channel(), 'his', 'shared word')
    let whose = ana.device
    const search = new DeviceSearch(async () => whose)
    opened.push(search)
    const find = () =>
      new Promise<string[]>((resolve, reject) => {
        search.search({
          query: 'shared',
          limit: 10,
          onAnswer: ({ hits }) => resolve(hits.map(({ mId }) => mId)),
          onError: reject,
        })
      })
    expect(await find()).toEqual(['hers'])
    whose = bruno.device
    expect(await find()).toEqual(['his'])
  })

  it.each(['vault-locked', 'vault', 'keys'] as const)(
    'forgets everything when the vault says %s, and finds nothing while it is locked',
    async (kind) => {
      const { device, channel, put } = await aDevice()
      await put(await channel(), 'a', 'secret')
      let isLocked = false
      const search = new DeviceSearch(async () => {
        if (isLocked) throw new AppError('vault.locked')
        return device
      })
      opened.push(search)
      const find = () =>
        new Promise<Answer>((resolve, reject) =>
          search.search({ query: 'secret', limit: 10, onAnswer: resolve, onError: reject }),
        )
      expect((await find()).hits).toHaveLength(1)
      const terminate = vi.spyOn(Worker.prototype, 'terminate')
      isLocked = true
      announceHere({ kind })
      expect(terminate).toHaveBeenCalledOnce()
      await expect(find()).rejects.toMatchObject({ code: 'vault.locked' })
      isLocked = false
      expect((await find()).hits).toHaveLength(1)
    },
  )

  it('writes nothing to the disk: no database, no record, no file more than before [CH-174, CH-175]', async () => {
    const { device, find, channel, put } = await aDevice()
    await put(await channel(), 'a', 'MARKER question', answered('MARKER answer'))
    const stored = async () => {
      const databases = (await indexedDB.databases()).map(({ name }) => name).sort()
      const records = await Promise.all(
        [...device.db.objectStoreNames].map(async (table) => [table, await device.db.getAllKeys(table)]),
      )
      const files = []
      for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name)
      return { databases, records, files, caches: await caches.keys(), storage: { ...localStorage, ...sessionStorage } }
    }
    const before = await stored()
    expect(await find('marker')).toEqual(['a'])
    expect(await stored()).toEqual(before)
  })
})

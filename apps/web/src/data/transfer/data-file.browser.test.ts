import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { runsOf } from '../../testing/depth'
import { seedSession } from '../../testing/seed-session'
import { aMessage } from '../channels/channel-store-suite'
import { localChannels } from '../channels/local-channels'
import { forgetSession } from '../session/stored-session'
import { type ExportChoice, exportData, exportFileName } from './export-data'
import { checkFile, isProtected } from './import-data'
import { deviceRecords, putDeviceRecord } from './record-store'
import { aChannel, all, everything, exported, imported, passphrase, wipe, work } from './transfer-suite'

/** What a zip of ours holds. */
async function inflated(file: File): Promise<Record<string, unknown>> {
  const view = new DataView(await file.arrayBuffer())
  const start = 30 + view.getUint16(26, true) + view.getUint16(28, true)
  const directory = view.getUint32(view.byteLength - 6, true)
  const end = view.getUint32(directory + 20, true) + start
  const text = await new Response(
    file.slice(start, end).stream().pipeThrough(new DecompressionStream('deflate-raw')),
  ).text()
  return JSON.parse(text)
}

beforeEach(async () => {
  forgetSession()
  await wipe()
})

describe('the data file', () => {
  it('brings back exactly what went out, whatever people write, open or protected [ST-180, ST-181, ST-182]', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        '‮RTL',
        '🙂🇧🇷👩‍👩‍👧',
        '__proto__',
        '</script>',
        '"\\\n\u2028\0',
        '漢字 かな',
        '\ud800 alone',
        'e\u0301',
        '﷽',
      ),
    )
    const message = fc.record({
      chat_request: text,
      chat_response: fc.record({ role: fc.constant('assistant' as const), content: text }),
      status: fc.constantFrom('completed', 'stopped', 'interrupted', 'failed'),
      model: fc.option(text, { nil: undefined }),
      error: fc.option(fc.record({ code: text, content: text }), { nil: undefined }),
      usage: fc.option(
        fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat(), cost: fc.constant('1234567890123') }),
        { nil: undefined },
      ),
      empty: fc.option(fc.boolean(), { nil: undefined }),
    })
    const channel = fc.record({
      isLocked: fc.boolean(),
      isDocument: fc.boolean(),
      messages: fc.array(message, { maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(channel, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (channels, isProtected) => {
          await wipe()
          for (const { messages, ...flags } of channels) {
            const { id } = await localChannels.create({ assistantId: null, ...flags })
            for (const each of messages)
              await localChannels.put({ ...aMessage(id), ...JSON.parse(JSON.stringify(each)) })
          }
          const before = await everything()
          const secret = isProtected ? { passphrase } : {}
          const file = await exported(secret)
          await wipe()
          const summary = await imported(file, secret)
          expect(summary).toMatchObject({ channelsImported: channels.length, skipped: 0, errors: [] })
          expect(await everything()).toEqual(before)
        },
      ),
      { numRuns: runsOf(60) },
    )
  })

  it('has the shape, the tags and the name of the specification [ST-180, ST-181, ST-182]', async () => {
    const user = await seedSession()
    const channel = await aChannel('Plans', 'Where to?')
    await putDeviceRecord('assistants', { id: 'a1', name: 'Guide' }, true)
    const file = await exported({ types: ['channels', 'chats', 'assistants', 'documents'] })
    expect(file.name).toMatch(/^parley_local_\d{4}-\d\d-\d\d\.zip$/)
    expect(exportFileName({ storageType: 'both', passphrase: undefined }, new Date('2026-03-04T23:00:00Z'))).toBe(
      'parley_both_2026-03-04.zip',
    )
    const content = await inflated(file)
    expect(Object.keys(content)).toEqual(['channels', 'chats', 'assistants', 'documents', 'users', 'metadata'])
    const tags = { source: 'indexeddb', exportedAt: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect(content).toEqual({
      channels: [expect.objectContaining({ id: channel.id, channelName: 'Plans', ...tags })],
      chats: [
        {
          id: `${channel.id}_${user.id}`,
          channelId: channel.id,
          userId: user.id,
          ...tags,
          messages: [expect.objectContaining({ chat_request: 'Where to?' })],
        },
      ],
      assistants: [{ id: 'a1', name: 'Guide', ...tags }],
      documents: [],
      users: [],
      metadata: {
        exportedAt: tags.exportedAt,
        exportedBy: user.email,
        version: '1.0',
        storageType: 'local',
        totalItems: 3,
        encrypted: false,
        compressed: true,
      },
    })
    await wipe()
  })

  it('is plain JSON where the browser cannot deflate [ST-182]', async () => {
    await aChannel('Plans', 'Where to?')
    const before = await everything()
    const { CompressionStream } = globalThis
    Reflect.deleteProperty(globalThis, 'CompressionStream')
    try {
      const file = await exported()
      expect(file.name).toMatch(/\.json$/)
      expect(JSON.parse(await file.text())).toMatchObject({ metadata: { compressed: false, totalItems: 2 } })
      await wipe()
      await imported(file)
      expect(await everything()).toEqual(before)
    } finally {
      globalThis.CompressionStream = CompressionStream
    }
  })

  it('holds what was chosen and nothing else; choosing nothing is refused [ST-181, ST-187]', async () => {
    await aChannel('Plans', 'Where to?')
    expect(await inflated(await exported({ types: ['channels'] }))).toMatchObject({
      channels: [{}],
      chats: [],
      metadata: { totalItems: 1 },
    })
    await expect(exported({ types: [] })).rejects.toMatchObject({ code: 'transfer.nothing-selected' })
    await expect(imported(await exported(), { types: [] })).rejects.toMatchObject({ code: 'transfer.nothing-selected' })
  })

  it('is told what it holds before anything is written [ST-193]', async () => {
    const { id } = await aChannel('Plans', 'one', 'two')
    await putDeviceRecord('documents', { id: 'd1' }, true)
    const file = await exported()
    await localChannels.remove(id)
    const good = await checkFile(file, undefined, work)
    expect(good).toMatchObject({
      format: 'data',
      counts: { channels: 1, chats: 2, documents: 1 },
      problems: [],
      metadata: { version: '1.0' },
    })
    expect(await localChannels.list()).toEqual([])
  })

  it('goes into a chosen file, which keeps what it was when the export is cancelled', async () => {
    await aChannel('Plans', 'one')
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle('export.zip', { create: true })
    const choice: ExportChoice = { types: all, storageType: 'local', passphrase: undefined }
    const { blob, items } = await exportData(choice, { ...work, handle })
    expect([blob, items]).toEqual([
      undefined,
      2 + (await deviceRecords('documents')).length + (await deviceRecords('assistants')).length,
    ])
    const whole = await handle.getFile()
    expect((await checkFile(new File([whole], 'export.zip'), undefined, work)).counts.channels).toBe(1)
    for (let round = 0; round < 10; round++) {
      const controller = new AbortController()
      const cancelled = exportData(choice, { handle, onProgress: () => controller.abort(), signal: controller.signal })
      await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
      expect((await handle.getFile()).size).toBe(round === 0 ? whole.size : 0)
      // Freed at once: a file that is still being written to can be neither moved nor removed.
      await folder.removeEntry('export.zip')
      await folder.getFileHandle('export.zip', { create: true })
    }
    await folder.removeEntry('export.zip')
  })
})

describe('a protected file', () => {
  it('says that it is, holds no word of the chats, and opens with its passphrase alone', async () => {
    await aChannel('Secret plans', 'where is the treasure')
    const file = await exported({ passphrase })
    expect(await isProtected(file)).toBe(true)
    expect(await isProtected(await exported())).toBe(false)
    const bytes = new TextDecoder('latin1').decode(await file.arrayBuffer())
    expect(bytes).not.toContain('Secret')
    await expect(checkFile(file, undefined, work)).rejects.toMatchObject({ code: 'transfer.passphrase-needed' })
    await expect(checkFile(file, 'correct horse batterx', work)).rejects.toMatchObject({
      code: 'transfer.wrong-passphrase',
    })
    expect((await checkFile(file, passphrase, work)).counts.channels).toBe(1)
  })

  it('is refused when a byte of it was changed, and nothing is written', async () => {
    const { id } = await aChannel('Plans', 'x'.repeat(300))
    const file = await exported({ passphrase })
    await localChannels.remove(id)
    const bytes = new Uint8Array(await file.arrayBuffer())
    const sealedName = new TextDecoder('latin1').decode(bytes).indexOf('parley_data.sealed')
    const at = sealedName + 60
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await expect(checkFile(new File([bytes], file.name), passphrase, work)).rejects.toMatchObject({
      code: 'transfer.damaged',
    })
    expect(await localChannels.list()).toEqual([])
  })
})

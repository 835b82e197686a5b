import { webLimits } from '@parley/contract/limits/web'
import { beforeEach, describe, expect, it } from 'vitest'
import { localChannels } from '../channels/local-channels'
import { forgetSession } from '../session/stored-session'
import { exportData } from './export-data'
import { checkFile } from './import-data'
import { fileSecret, sealing, unsealing } from './sealed-chunks'
import { piecesOf } from './stream-pieces'
import { ZipWriter } from './zip-writer'

type Bytes = Uint8Array<ArrayBuffer>
const work = { onProgress: () => undefined, signal: new AbortController().signal }
const utf8 = (text: string): Bytes => new TextEncoder().encode(text)
const json = (value: unknown, name = 'data.json'): File =>
  new File([typeof value === 'string' ? value : JSON.stringify(value)], name)
const check = (file: File) => checkFile(file, undefined, work)

function streamOf(...pieces: Bytes[]): ReadableStream<Bytes> {
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}

async function zipOf(entries: Record<string, ReadableStream<Bytes> | string>, isDeflated = true): Promise<File> {
  const parts: Bytes[] = []
  const zip = new ZipWriter((bytes) => void parts.push(bytes))
  for (const [name, content] of Object.entries(entries))
    await zip.add({ name, isDeflated }, typeof content === 'string' ? streamOf(utf8(content)) : content)
  await zip.end()
  return new File(parts, 'data.zip')
}

const metadata = { exportedAt: '2026-01-01T00:00:00.000Z', version: '1.0' }
const good = {
  metadata,
  channels: [{ id: 'c1', channelName: 'x' }],
  chats: [],
  assistants: [],
  documents: [],
  users: [],
}

beforeEach(async () => {
  forgetSession()
  await localChannels.removeAll()
  await localChannels.create({ assistantId: null, channelName: 'Before' })
})

/** Refused in these words, with nothing written and nothing polluted. */
async function expectRefused(file: File, code: string, reasons?: string[]): Promise<void> {
  const refused = await check(file).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({
    code,
    ...(reasons ? { issues: reasons.map((message) => ({ path: '', message })) } : {}),
  })
  expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Before'])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
}

describe('a data file that lacks something is refused with every reason [ST-186]', () => {
  it.each([
    [
      'metadata',
      { ...good, metadata: undefined },
      ['Missing metadata', 'Missing export timestamp', 'Missing version info'],
    ],
    [
      'metadata of another kind',
      { ...good, metadata: 'none' },
      ['Missing metadata', 'Missing export timestamp', 'Missing version info'],
    ],
    ['its time', { ...good, metadata: { version: '1.0' } }, ['Missing export timestamp']],
    ['its version', { ...good, metadata: { ...metadata, version: '' } }, ['Missing version info']],
    ['a list of channels', { ...good, channels: {} }, ['Invalid channels format']],
    ['a list of chats', { ...good, chats: {} }, ['Invalid chats format']],
    [
      'any list',
      { ...good, channels: 1, chats: null, assistants: 'a', documents: {}, users: true },
      [
        'Invalid channels format',
        'Invalid chats format',
        'Invalid assistants format',
        'Invalid documents format',
        'Invalid users format',
      ],
    ],
    ['everything', {}, ['Missing metadata', 'Missing export timestamp', 'Missing version info']],
  ])('%s', (_what, content, reasons) => expectRefused(json(content), 'transfer.invalid-data', reasons))

  it('but a list that is not there is no fault', async () => {
    expect((await check(json({ metadata, channels: good.channels }))).counts.channels).toBe(1)
  })
})

describe('a file that is none of ours is refused, and nothing is written [CH-137, ST-184, ST-185]', () => {
  const text = JSON.stringify(good)
  it.each([
    ['is empty', json(''), 'transfer.invalid'],
    ['is no JSON', json('hello'), 'transfer.invalid'],
    ['is a number', json('42'), 'transfer.invalid'],
    ['is cut off in a text', json(text.slice(0, 90)), 'transfer.invalid'],
    ['is cut off before its end', json(text.slice(0, -1)), 'transfer.invalid'],
    ['goes on after its end', json(`${text}]`), 'transfer.invalid'],
    ['has a comma too many', json(text.replace('"users":[]', '"users":[],')), 'transfer.invalid'],
    ['closes what it did not open', json('{"metadata":{}]'), 'transfer.invalid'],
    ['has a name without a value', json('{"metadata"}'), 'transfer.invalid'],
    ['is an empty list', json('[]'), 'transfer.invalid'],
    ['is another program’s', json('[{"hello":1}]'), 'transfer.invalid'],
    ['is of another type', json(text, 'data.txt'), 'transfer.file-type'],
    ['is called a zip and is none', json(text, 'data.zip'), 'transfer.file-type'],
    ['names a prototype as a key', json('{"__proto__":{"polluted":1},"metadata":{}}'), 'transfer.invalid'],
    [
      'hides a prototype in an entry',
      json({ ...good, users: [JSON.parse('{"id":"u","a":{"__proto__":{"polluted":1}}}')] }),
      'transfer.invalid',
    ],
    [
      'names a channel like a constructor',
      json({ ...good, channels: [{ id: 'constructor', channelName: 'x' }] }),
      'transfer.invalid',
    ],
    [
      'names a chat like a prototype',
      json({ ...good, chats: [{ channelId: '__proto__', messages: [{ chat_request: 'x' }] }] }),
      'transfer.invalid',
    ],
    ['is a thousand lists deep', json(`{"users":[${'['.repeat(1_000)}`), 'transfer.too-large'],
  ])('one that %s', (_what, file, code) => expectRefused(file, code))

  it('a zip without JSON, with a place outside itself, cut off, or with a changed byte', async () => {
    await expectRefused(await zipOf({ 'readme.txt': 'hello' }), 'transfer.no-json')
    await expectRefused(await zipOf({}), 'transfer.no-json')
    for (const name of ['../../data.json', '/etc/data.json', 'C:\\data.json', 'a\\..\\data.json', 'a/../../b.json']) {
      await expectRefused(await zipOf({ [name]: text }), 'transfer.invalid')
    }
    const whole = await zipOf({ 'data.json': text }, false)
    expect((await check(whole)).counts.channels).toBe(1)
    for (const part of [0.2, 0.6, 0.99])
      await expectRefused(new File([whole.slice(0, whole.size * part)], 'data.zip'), 'transfer.invalid')
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const at = new TextDecoder('latin1').decode(bytes).indexOf('"channelName":"x"') + 15
    bytes[at] = 0x79
    await expectRefused(new File([bytes], 'data.zip'), 'transfer.invalid')
  })
})

describe('a file that asks for too much', () => {
  const mebibyte = 1024 * 1024
  /** Text without end, made while it is read. */
  function repeated(piece: string, times: number, before = '', after = ''): ReadableStream<Bytes> {
    const bytes = utf8(piece)
    let left = times
    return new ReadableStream({
      start: (controller) => controller.enqueue(utf8(before)),
      pull(controller) {
        if (left-- > 0) return controller.enqueue(bytes)
        controller.enqueue(utf8(after))
        controller.close()
      },
    })
  }

  it('a zip bomb is refused long before it is inflated', async () => {
    // 400 MiB of spaces in some 400 kB.
    const bomb = await zipOf({ 'data.json': repeated(' '.repeat(mebibyte), 400, '{"metadata":', '{}}') })
    expect(bomb.size).toBeLessThan(mebibyte)
    await expectRefused(bomb, 'transfer.too-large')
  })

  it('a million entries of one channel are refused', async () => {
    const entry = '{"mId":"m","chat_request":"q"},'
    const list = await zipOf({
      'data.json': repeated(
        entry.repeat(10_000),
        100,
        `{"channels":[],"chats":[{"channelId":"c1","messages":[`,
        '{}]}]}',
      ),
    })
    await expectRefused(list, 'transfer.too-large')
  })

  it('a million channels are refused', async () => {
    const channels = await zipOf({
      'data.json': repeated('{"id":"a","channelName":"b"},'.repeat(10_000), 100, '{"channels":[', '{}]}'),
    })
    await expectRefused(channels, 'transfer.too-large')
  })

  it('a text without end is refused', async () => {
    const parts = Array.from({ length: webLimits.transfer.maxItemBytes / mebibyte + 8 }, (_, n) =>
      String.fromCharCode(97 + (n % 26)).repeat(mebibyte),
    )
    await expectRefused(new File(['{"users":["', ...parts], 'data.json'), 'transfer.too-large')
  })
})

describe('the sealed part', () => {
  const plain = crypto.getRandomValues(new Uint8Array(65_536)).slice()
  const secretOf = (byte: number) => fileSecret(new Uint8Array(32).fill(byte))
  async function bytesOf(stream: ReadableStream<Bytes>): Promise<Bytes> {
    const parts: Bytes[] = []
    for await (const piece of piecesOf(stream)) parts.push(piece)
    return new Uint8Array(await new Blob(parts).arrayBuffer())
  }

  it.each([0, 1, 65_535, 65_536, 65_537, 131_072])('gives back %i bytes', async (size) => {
    const text = new Uint8Array(size).map((_, n) => plain[n % plain.length] ?? 0)
    const secret = await secretOf(1)
    const sealed = await bytesOf(streamOf(text).pipeThrough(sealing(secret)))
    expect(await bytesOf(streamOf(sealed).pipeThrough(unsealing(secret)))).toEqual(text)
  })

  it('tells one that is cut off between two chunks from one that was changed, moved or added to', async () => {
    const secret = await secretOf(1)
    const sealed = await bytesOf(streamOf(plain, plain, plain.slice(0, 100)).pipeThrough(sealing(secret)))
    const chunk = 65_536 + 16
    const open = (...pieces: Bytes[]) => bytesOf(streamOf(...pieces).pipeThrough(unsealing(secret)))
    await expect(open(sealed.slice(0, chunk))).rejects.toMatchObject({ code: 'transfer.incomplete' })
    await expect(open(sealed.slice(0, 2 * chunk))).rejects.toMatchObject({ code: 'transfer.incomplete' })
    await expect(open()).rejects.toMatchObject({ code: 'transfer.incomplete' })
    await expect(
      open(sealed.slice(chunk, 2 * chunk), sealed.slice(0, chunk), sealed.slice(2 * chunk)),
    ).rejects.toMatchObject({ code: 'transfer.damaged' })
    await expect(open(sealed.slice(0, chunk), sealed.slice(2 * chunk))).rejects.toMatchObject({
      code: 'transfer.damaged',
    })
    await expect(open(sealed, new Uint8Array(40))).rejects.toMatchObject({ code: 'transfer.damaged' })
    await expect(bytesOf(streamOf(sealed).pipeThrough(unsealing(await secretOf(2))))).rejects.toMatchObject({
      code: 'transfer.damaged',
    })
  })

  it('cut anywhere, a protected file is refused', async () => {
    const choice = { types: ['channels', 'chats'], storageType: 'local', passphrase: 'correct horse' } as const
    const { blob } = await exportData(choice, { ...work, handle: undefined })
    const whole = blob ?? new Blob()
    for (const part of [0.3, 0.9]) {
      const cut = checkFile(new File([whole.slice(0, whole.size * part)], 'data.zip'), 'correct horse', work)
      await expect(cut).rejects.toMatchObject({ code: 'transfer.invalid' })
    }
  })
})

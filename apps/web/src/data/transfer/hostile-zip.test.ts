// @vitest-environment node
import { webLimits } from '@parley/contract/limits/web'
import { describe, expect, it } from 'vitest'
import { JsonItems, ValueBudget } from './json-items'
import { jsonParts } from './open-file'
import { readEntries } from './read-entries'
import { piecesOf } from './stream-pieces'
import { length, signature } from './zip-format'
import { InflateBudget, openEntry, zipEntries } from './zip-reader'
import { ZipWriter } from './zip-writer'

type Bytes = Uint8Array<ArrayBuffer>
const mebibyte = 1024 * 1024
const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

function streamOf(piece: Bytes, times: number): ReadableStream<Bytes> {
  let left = times
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(piece)
      else controller.close()
    },
  })
}

async function zipOf(entries: Record<string, ReadableStream<Bytes>>): Promise<File> {
  const parts: Bytes[] = []
  const zip = new ZipWriter((bytes) => void parts.push(bytes))
  for (const [name, content] of Object.entries(entries)) await zip.add({ name, isDeflated: true }, content)
  await zip.end()
  return new File(parts, 'data.zip')
}

/** The same file, whose directory tells another size of each entry, or the first entry's place for all of them. */
async function lying(file: File, change: { size?: number; isOneEntry?: boolean }): Promise<File> {
  const bytes = await file.arrayBuffer()
  const view = new DataView(bytes)
  let at = view.getUint32(view.byteLength - length.end + 16, true)
  for (; view.getUint32(at, true) === signature.central; at += length.central + view.getUint16(at + 28, true)) {
    if (change.size !== undefined) view.setUint32(at + 24, change.size, true)
    if (change.isOneEntry) view.setUint32(at + 42, 0, true)
  }
  return new File([bytes], file.name)
}

async function inflateAll(file: File): Promise<{ budget: InflateBudget; code: unknown }> {
  const budget = new InflateBudget(file.size)
  try {
    for (const entry of await zipEntries(file))
      for await (const _piece of piecesOf(await openEntry(file, entry, { budget })));
    return { budget, code: undefined }
  } catch (error) {
    return { budget, code: error instanceof Error && 'code' in error ? error.code : error }
  }
}

async function readAll(file: File): Promise<void> {
  const batches = readEntries(file, { hash: undefined, withMessages: false })
  while (!(await batches.next()).done);
}

const spaces = utf8(' '.repeat(mebibyte))
/** Together more than the allowance, each of them within it. */
const bomb = zipOf(Object.fromEntries([1, 2, 3].map((n) => [`conversations-${n}.json`, streamOf(spaces, 6)])))
const allowedOf = (file: File): number =>
  Math.max(webLimits.transfer.ratioFromBytes, file.size * webLimits.transfer.maxInflateRatio)

describe('a small archive that stands for much more is refused', () => {
  it('before anything is inflated, where the sizes of its entries tell it, each of them within what one alone might have', async () => {
    const file = await bomb
    expect(file.size).toBeLessThan(mebibyte)
    await expect(jsonParts(file, undefined)).rejects.toMatchObject({ code: 'transfer.too-large' })
  })

  it('over all its entries together, no byte beyond the allowance being handed on', async () => {
    const file = await bomb
    const { budget, code } = await inflateAll(file)
    expect(code).toBe('transfer.too-large')
    expect(budget.used).toBeLessThanOrEqual(allowedOf(file))
  })

  it('where all names in it stand for one and the same entry', async () => {
    const { budget, code } = await inflateAll(await lying(await bomb, { isOneEntry: true }))
    expect(code).toBe('transfer.too-large')
    expect(budget.used).toBeLessThanOrEqual(webLimits.transfer.ratioFromBytes)
  })

  it('at the first piece that is more than the size that its directory tells', async () => {
    const { budget, code } = await inflateAll(await lying(await bomb, { size: 10 }))
    expect(code).toBe('transfer.invalid')
    expect(budget.used).toBeLessThan(mebibyte)
  })
})

describe('a file of countless empty values is refused by their number', () => {
  const inMany = (text: string, times: number) => text.repeat(times)
  const over = webLimits.transfer.valuesFrom + 1_000

  it.each([
    ['in a list that is passed over', `{"other":[${inMany('0,', over)}0]}`],
    ['in lists in lists that are passed over', `{"other":[${inMany('[[]],', over / 2)}0]}`],
    ['in metadata that come again and again', `{${inMany(`"metadata":[${inMany('0,', 999)}0],`, over / 1_000)}"a":0}`],
    ['in users that are none', `{"users":[${inMany(`[${inMany('0,', 999)}0],`, over / 1_000)}0]}`],
  ])('%s', (_what, text) => {
    const budget = new ValueBudget(10_000)
    const json = new JsonItems(
      {
        handlingOf: (path) => (path.length === 0 ? 'enter' : path[0] === 'other' ? 'skip' : 'item'),
        onItem: () => undefined,
      },
      budget,
    )
    expect(() => json.write(utf8(text))).toThrow(expect.objectContaining({ code: 'transfer.too-large' }))
    expect(budget.used).toBe(webLimits.transfer.valuesFrom + 1)
  })

  it('in an archive as well, over all its parts', async () => {
    const conversation = '{"id":"c1","title":"One","mapping":{}}'
    const part = () =>
      streamOf(utf8(`[${inMany(`[${inMany('0,', 999)}0],`, (over - 10_000) / 2_000)}${conversation}]`), 1)
    await expect(
      readAll(await zipOf({ 'conversations-1.json': part(), 'conversations-2.json': part() })),
    ).resolves.toBeUndefined()
    const three = await zipOf({
      'conversations-1.json': part(),
      'conversations-2.json': part(),
      'conversations-3.json': part(),
    })
    await expect(readAll(three)).rejects.toMatchObject({ code: 'transfer.too-large' })
  })

  it('while a plain file of the same number of values is read as far as its own bytes allow', () => {
    const text = `{"other":[${inMany('0,', over)}0]}`
    const budget = new ValueBudget(text.length)
    const json = new JsonItems(
      { handlingOf: (path) => (path.length === 0 ? 'enter' : 'skip'), onItem: () => undefined },
      budget,
    )
    json.write(utf8(text))
    json.end()
    expect(budget.used).toBe(over + 3)
  })
})

import type { ServerFrame } from '@parley/contract/chat'
import { expect, it } from 'vitest'
import { MemoryStreamLog } from '../../providers/bus/memory-stream-log'
import { textOf } from '../../testing/chat-client'
import { words } from '../../testing/gateway-scenarios'
import { FrameWriter } from './frame-writer'

it('leaves a finished answer in the log as one text and what follows it, not frame by frame', async () => {
  const log = new MemoryStreamLog()
  const id = '01a1fbfc-eff3-78e3-a274-84f6c2574fad'
  const done = new AbortController()
  done.abort()
  const writer = new FrameWriter(log, { messageId: id, mId: id }, done.signal)
  await writer.write({ event: 'accepted', model: 'm' })
  const file = { type: 'file' as const, fileId: 'f', name: 'a.txt', mediaType: 'text/plain', bytes: 9 }
  for (const reading of ['whole', 'passages'] as const)
    await writer.write({ event: 'file', part: { ...file, reading } })
  const text = words(400)
  const source = { type: 'source' as const, n: 1, title: 'a.txt', fileId: 'f', passage: 'A passage.' }
  for (const word of text.split(/(?<= )/)) {
    if (word === 'word7 ') await writer.write({ event: 'source', part: source })
    await writer.write({ event: 'content', content: word })
  }
  await writer.write({ event: 'saving-chat' })
  await writer.write({ event: 'error', code: 'chat.interrupted', content: 'It broke off.' })
  await log.finish(id)
  const frames = log.entriesAfter(id, 0).map(({ frame }): ServerFrame => JSON.parse(frame))
  expect(frames.map(({ event }) => event)).toEqual(['snapshot', 'saving-chat', 'error'])
  expect(textOf(frames)).toBe(text)
  expect(frames[0]).toMatchObject({ read: [{ ...file, reading: 'passages' }], sources: [source] })
  // Whoever had read a part of it goes on behind that.
  expect(frames.map((frame) => ('seq' in frame ? frame.seq : 0))).toEqual([404, 405, 406])
})

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, redisUrl } from '../../testing/chat-setups'
import { tokenOf } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'
import { nodeAndSurvivor } from '../../testing/node-and-survivor'
import { aPerson } from '../../testing/person'
import { aSentSource, compressed, compressedText } from '../../testing/sent-sources'
import { sourcesOf } from '../../testing/source-calls'
import { everythingIn, everythingInRedis, filesBelow } from '../../testing/traces'

const hasBoth = redisUrl !== undefined && databases.includes('postgresql')
const frames = 'reasoning,file,source'

/** A source of a device that nobody else has: its words, and what its question carries. */
function aSecretSource() {
  const marker = `canary${randomUUID().replaceAll('-', '')}`
  const source = aSentSource('f', [`The ${marker} sings.`, `No ${marker} cries.`], { name: `${marker}.pdf` })
  const compressedDocuments = compressed([source])
  return { marker, along: { compressedDocuments }, marks: [marker, compressedDocuments.slice(0, 40)] }
}

const expectNone = (marks: readonly string[], places: Record<string, string>): void => {
  for (const [place, content] of Object.entries(places))
    for (const mark of marks) {
      expect(content.includes(mark), `${mark} in ${place}`).toBe(false)
      expect(content.includes(Buffer.from(mark).toString('hex')), `${mark} in ${place}, in hex`).toBe(false)
      expect(content.includes(Buffer.from(mark).toString('base64').slice(0, 24)), `${mark} in ${place}`).toBe(false)
    }
}

describe.skipIf(!hasBoth)(
  'sources of a device (need TEST_DATABASE_URL and TEST_REDIS_URL)',
  { timeout: 120_000 },
  () => {
    it('are in no table, no Redis, no file and no log, while they are asked about, afterwards, and when that fails', async () => {
      const { marker, along, marks } = aSecretSource()
      const setup = { kind: 'postgresql', bus: 'redis' } as const
      const app = await buildChatApp(setup, { env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'debug' } })
      const ana = await aPerson(app, 'ana@example.org')
      const client = await new Visitor(tokenOf(ana)).connect(app, { frames })
      const look = async () =>
        expectNone(marks, {
          ...{ database: await everythingIn(app.db), redis: await everythingInRedis(redisUrl ?? '') },
          ...{ files: filesBelow(app.dataDir), logs: app.logs() },
        })
      app.gateway.next({ text: `It sings [1]. ${words(100)}`, holdAfter: 60 })
      const id = client.ask('Who sings?', along)
      await client.untilText('sings [1]')
      // What is looked for could be found: the model has read it, and the reader is told of it.
      expect(JSON.stringify(app.gateway.requests)).toContain(marker)
      expect(JSON.stringify(client.frames)).toContain(marker)
      await look()
      app.gateway.release()
      await client.untilEvent('end', id)
      await look()
      app.gateway.next({ status: 400, message: 'I did not like this.' })
      await client.untilEvent('error-openrouter', client.ask('Who sings?', along))
      const garbage = compressedText(`{"v":1,"sources":[{"${marker}`)
      await client.untilEvent('error', client.ask('Who sings?', { compressedDocuments: garbage }))
      const picture = { fileId: 'f', mediaType: 'image/jpeg' as const, data: Buffer.from(marker).toString('base64') }
      await client.untilEvent('error', client.ask('Who sings?', { ...along, pictures: [picture] }))
      await look()
    })

    it('leave nothing behind when the node is killed in mid-answer, and what was cited is told by the next one', async () => {
      const { marks, along } = aSecretSource()
      const { gateway, child, node, survivor, connect, endLease, folder, logs } = await nodeAndSurvivor()
      gateway.next({ text: `It sings [1]. ${words(5_000)}`, tokensPerSecond: 200 })
      const reader = await connect(node, frames)
      const id = reader.ask('Who sings?', along)
      await reader.untilText('word30')
      child.kill('SIGKILL')
      await reader.closed
      const look = async () =>
        expectNone(marks, {
          ...{ database: await everythingIn(survivor.db), redis: await everythingInRedis(redisUrl ?? '') },
          ...{ files: filesBelow(folder), logs: logs() },
        })
      await look()
      endLease()
      const late = await connect(survivor, frames)
      late.send({ event: 'resume', messageId: id, afterSeq: 0 })
      expect(await late.untilOver(id)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      const told = inOrder(late.frames, id)
      expect(textOf(told)).toContain('It sings [1].')
      const parts = told.flatMap((frame) => ('part' in frame ? [frame.part] : []))
      expect(parts).toMatchObject([
        { type: 'file', fileId: 'f', sent: 2 },
        { type: 'source', n: 1 },
      ])
      await look()
    })

    it('in the cloud, are cited by an answer whose node was killed, in its channel and for its readers', async () => {
      const { gateway, child, node, person, channelId, connect, stored, endLease } = await nodeAndSurvivor()
      const sources = sourcesOf(person)
      const { id: fileId } = await sources.ended(
        (await sources.add(channelId, 'keys.txt', 'Two keys are handed over.')).id,
      )
      gateway.next({ text: `Two keys [1], not [2]. ${words(5_000)}`, tokensPerSecond: 200 })
      const reader = await connect(node, frames)
      reader.ask('How many keys?', { storageMode: 'cloud', channelId })
      await reader.untilText('word30')
      child.kill('SIGKILL')
      await reader.closed
      endLease()
      await expect.poll(async () => (await stored())?.status).toBe('interrupted')
      expect(await stored()).toMatchObject({
        read: [{ fileId, reading: 'whole', sent: 1, of: 1 }],
        sources: [{ n: 1, fileId, passage: 'Two keys are handed over.' }],
      })
    })
  },
)

import { createHash } from 'node:crypto'
import type { SourceJob, Upload } from '@parley/contract/sources'
import { expect } from 'vitest'
import type { Client } from './person'

type Answer = Awaited<ReturnType<Client['send']>>

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The sources of one person's cloud channels, over HTTP. */
export function sourcesOf(person: Client) {
  const ok = async <T>(answer: Promise<Answer>): Promise<T> => {
    const { status, body } = await answer
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const calls = {
    upload: (channelId: string, name: string, content: string | Uint8Array, field = 'document') => {
      const form = new FormData()
      form.append(field, new Blob([content as Uint8Array<ArrayBuffer>]), name)
      return person.sendRaw('POST', `/api/embeddings/upload/${channelId}`, form)
    },
    begin: (channelId: string, name: string, bytes: Uint8Array, more: object = {}) =>
      person.post('/api/embeddings/uploads', {
        ...{ channelId, name, bytes: bytes.length, sha256: sha256Of(bytes) },
        ...more,
      }),
    continue: (id: string, offset: number, bytes: Uint8Array) =>
      person.sendRaw('PATCH', `/api/embeddings/uploads/${id}?offset=${offset}`, bytes, {
        'content-type': 'application/octet-stream',
      }),
    list: (channelId: string) => ok<SourceJob[]>(person.send('GET', `/api/embeddings/job/channel/${channelId}`)),
    get: (id: string) => ok<SourceJob>(person.send('GET', `/api/embeddings/job/status/${id}`)),
    quota: () => ok<{ usedBytes: number; maxBytes: number }>(person.send('GET', '/api/embeddings/quota')),
  }
  return {
    ...calls,
    add: (channelId: string, name: string, content: string | Uint8Array) =>
      ok<SourceJob>(calls.upload(channelId, name, content)),
    begun: (channelId: string, name: string, bytes: Uint8Array) => ok<Upload>(calls.begin(channelId, name, bytes)),
    continued: (id: string, offset: number, bytes: Uint8Array) => ok<Upload>(calls.continue(id, offset, bytes)),
    /** Resolves when it is read, or could not be. */
    async ended(id: string): Promise<SourceJob> {
      const hasEnded = async () => ['processed', 'failed'].includes((await calls.get(id)).status)
      await expect.poll(hasEnded, { timeout: 50_000, interval: 100 }).toBe(true)
      return calls.get(id)
    },
  }
}

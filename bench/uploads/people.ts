// People who upload a file each, all at the same time, as the app does: piece by piece, over the route that can be
// resumed. A process of its own, so that it takes nothing from whoever measures. It says `ready`, begins when it is
// told to, and ends with the last file.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

export type Uploads = {
  url: string
  people: { token: string; channelId: string }[]
  fileBytes: number
  pieceBytes: number
  /** Of each person; 0: as fast as it goes. */
  bytesPerSecond: number
}

const { url, people, fileBytes, pieceBytes, bytesPerSecond } = JSON.parse(process.argv[2] ?? '') as Uploads
const block = randomBytes(pieceBytes)

/** No two are the same, and none has to be kept whole. */
function pieceAt(person: number, offset: number): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(block.subarray(0, Math.min(pieceBytes, fileBytes - offset)))
  piece[0] = person
  return piece
}

function digestOf(person: number): string {
  const hash = createHash('sha256')
  for (let offset = 0; offset < fileBytes; offset += pieceBytes) hash.update(pieceAt(person, offset))
  return hash.digest('hex')
}

type Upload = { id: string; offset: number; job?: unknown }

async function upload(person: number, sha256: string): Promise<void> {
  const { token, channelId } = people[person] ?? { token: '', channelId: '' }
  const call = async (method: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const response = await fetch(`${url}/api/embeddings/uploads${path}`, { method, headers, body })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as Upload
  }
  // What it holds is no PDF: reading it, which is not measured here, fails at once.
  const begun = { channelId, name: `file-${person}.pdf`, bytes: fileBytes, sha256 }
  let now = await call('POST', '', 'application/json', JSON.stringify(begun))
  // Nobody sends in step with the others.
  if (bytesPerSecond > 0) await delay((person / people.length) * (pieceBytes / bytesPerSecond) * 1_000)
  const startedAt = performance.now()
  while (!now.job) {
    const { id, offset } = now
    const dueMs = bytesPerSecond === 0 ? 0 : (offset / bytesPerSecond) * 1_000
    await delay(Math.max(0, dueMs - (performance.now() - startedAt)))
    now = await call('PATCH', `/${id}?offset=${offset}`, 'application/octet-stream', pieceAt(person, offset))
  }
}

// They are at their own machines: here they wait where the server and whoever measures need a processor.
setPriority(10)
const digests = people.map((_, person) => digestOf(person))
process.send?.('ready')
await once(process, 'message')
await Promise.all(digests.map((sha256, person) => upload(person, sha256)))
process.disconnect()

import { AppError } from '@parley/contract/errors'
import type { SentSource } from '@parley/contract/sent-sources'
import type { Device } from '../local/device'
import { readPieces, type StoredSource } from '../local/source-records'
import type { AskedSource } from './choose-sources'
import { activeSources } from './device-sources'
import type { ReaderWorkerPort } from './reader-worker-port'

export type SourceQuestion = { question: string; roomTokens: number }

/** `compressed`: `SentSources` as a question carries them. */
export type SourceChoice = { compressed: string; sent: SentSource[] }

/**
 * Chooses what of the active sources of a channel goes along with a question; undefined where there is none. Only those
 * that are read count.
 */
export async function chooseSources(
  device: Device,
  searcher: ReaderWorkerPort,
  channelId: string,
  { question, roomTokens }: SourceQuestion,
): Promise<SourceChoice | undefined> {
  const active = await activeSources(device, channelId)
  if (active.length === 0) return undefined
  const byKey = new Map(active.flatMap((stored) => (stored.passages ? [[keyOf(stored), stored] as const] : [])))
  const request = { kind: 'choose' as const, question, roomTokens, sources: [...byKey].map(asked) }
  let chosen = await searcher.call(request)
  if ('missing' in chosen) {
    for (const key of chosen.missing) await load(device, searcher, byKey.get(key))
    chosen = await searcher.call(request)
  }
  // The worker was ended between both, because the vault is closed.
  if ('missing' in chosen) throw new AppError('source.busy')
  return chosen
}

/** Another reading of a source has another key. */
const keyOf = ({ contentId, passages }: StoredSource): string => `${contentId}|${passages?.part}`

function asked([key, { source }]: readonly [string, StoredSource]): AskedSource {
  const { id, name, mediaType, bytes, url, pages } = source
  return {
    ...{ key, fileId: id, name, mediaType, bytes },
    ...(url === undefined ? {} : { url }),
    ...(pages === undefined ? {} : { pages }),
  }
}

async function load(device: Device, searcher: ReaderWorkerPort, stored: StoredSource | undefined): Promise<void> {
  if (!stored?.passages) return
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of readPieces(device, stored.contentId, stored.passages)) pieces.push(piece)
  await searcher.call({ kind: 'load', key: keyOf(stored), passages: new Blob(pieces) })
}

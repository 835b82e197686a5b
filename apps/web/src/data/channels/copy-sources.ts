// Sources go along wherever a vault's chat goes.
import type { Source } from '@parley/contract/sources'
import type { Device } from '../local/device'
import { copiesOnDevice, putOnDevice } from '../sources/device-copies'
import { listSources } from '../sources/device-sources'
import { ReaderWorkerPort } from '../sources/reader-worker-port'
import { idsThere } from '../sources/source-copies'

type Open = () => Promise<Device>

/**
 * Copies the sources of a chat from one vault to another, as they are read. Answers those that were copied, as they are
 * in the first one. Throws storage.unreadable and storage.newer-version where one cannot be read.
 */
export async function copySources(channelId: string, from: Device, open: Open): Promise<Source[]> {
  const copies = await copiesOnDevice(from, channelId)
  const target = { open, reader: new ReaderWorkerPort() }
  for (const copy of copies) await putOnDevice(target, channelId, copy)
  return copies.map(({ source }) => source)
}

/** The ids under which another vault has sources of a chat already. */
export async function sourceIdsIn(to: Device, channelId: string, from: Device): Promise<Map<string, string>> {
  return idsThere(await copiesOnDevice(from, channelId), await listSources(to, channelId))
}

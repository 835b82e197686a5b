// Converts the vault of a name in a worker, which the tests terminate in the middle.
import { convertMessages } from '../../data/local/convert-messages'
import { openDatabase } from '../../data/local/database'
import { openDeviceVault } from '../../data/local/vault'
import { readGeneration } from '../../data/local/vault-record'

addEventListener('message', ({ data: name }: MessageEvent<string>) => void convert(name))

async function convert(name: string): Promise<void> {
  const db = await openDatabase(name)
  const vault = await openDeviceVault(name)
  const device = { db, vault, userId: undefined, generation: await readGeneration(db), forget: () => undefined }
  postMessage('begun')
  await convertMessages(async () => device)
  postMessage('done')
}

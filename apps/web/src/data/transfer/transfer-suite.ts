// What the tests of exports and imports share.
import type { DataType, ImportStrategy } from '@parley/contract/data-file'
import { aMessage } from '../channels/channel-store-suite'
import { localChannels } from '../channels/local-channels'
import { type ExportChoice, exportData, exportFileName } from './export-data'
import { checkFile, importData } from './import-data'

export const all: readonly DataType[] = ['channels', 'chats', 'assistants', 'documents', 'users']
export const work = { onProgress: () => undefined, signal: new AbortController().signal }
export const passphrase = 'correct horse battery'

export async function exported(choice: Partial<ExportChoice> = {}): Promise<File> {
  const { blob } = await exportData(
    { types: all, storageType: 'local', passphrase: undefined, ...choice },
    { ...work, handle: undefined },
  )
  if (!blob) throw new Error('no blob')
  return new File([blob], exportFileName({ storageType: 'local', passphrase: choice.passphrase }))
}

export async function imported(
  file: File,
  options: { strategy?: ImportStrategy; types?: readonly DataType[]; passphrase?: string } = {},
) {
  const { strategy = 'overwrite', types = all } = options
  return importData(await checkFile(file, options.passphrase, work), { types, strategy, target: 'local' }, work)
}

export async function wipe(): Promise<void> {
  for (const { id } of await localChannels.list()) {
    await localChannels.setLocked(id, false)
    await localChannels.remove(id)
  }
}

/** Everything that is stored. */
export async function everything(): Promise<unknown> {
  const channels = (await localChannels.list()).toSorted((a, b) => a.id.localeCompare(b.id))
  return Promise.all(
    channels.map(async ({ exportedAt: _at, ...channel }) => ({
      channel,
      messages: (await localChannels.messages(channel.id, { limit: 1_000 })).messages,
    })),
  )
}

export async function aChannel(name: string, ...questions: string[]) {
  const channel = await localChannels.create({ assistantId: null, channelName: name })
  for (const chat_request of questions) await localChannels.put(aMessage(channel.id, { chat_request }))
  return channel
}

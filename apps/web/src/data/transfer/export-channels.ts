import { limits } from '@parley/contract/limits'
import { channelsFileName } from '@parley/contract/transfer'
import { localChannels } from '../channels/local-channels'
import { pagesOldestFirst } from './export-pages'

const pageSize = 200
/** Pieces of this size are handed to the browser, which may keep them on disk. */
const pieceCharacters = 4_000_000

/** All channels of this device with their messages as one readable file. A few pages are in memory at a time, however much there is. */
export async function exportChannels(
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<{ fileName: string; blob: Blob; count: number }> {
  const now = new Date()
  const channels = await localChannels.list()
  const parts: Blob[] = []
  let text = ''
  const add = (more: string): void => {
    text += more
    if (text.length > pieceCharacters) {
      parts.push(new Blob([text]))
      text = ''
    }
  }

  add(`{"channels":${JSON.stringify(channels.map((channel) => ({ ...channel, exportedAt: now.toISOString() })))},"chats":{`)
  for (const [index, { id }] of channels.entries()) {
    signal.throwIfAborted()
    add(`${index > 0 ? ',' : ''}${JSON.stringify(id)}:[`)
    let isFirst = true
    for await (const messages of pagesOldestFirst(localChannels, id, pageSize)) {
      signal.throwIfAborted()
      for (const message of messages) {
        add(`${isFirst ? '' : ','}${JSON.stringify({ ...message, run: undefined })}`)
        isFirst = false
      }
    }
    add(']')
    onProgress(index + 1, channels.length)
  }
  add(`},"exportedAt":${JSON.stringify(now.toISOString())},"version":${JSON.stringify(limits.transfer.version)}}`)
  return { fileName: channelsFileName(now), blob: new Blob([...parts, text], { type: 'application/json' }), count: channels.length }
}

import { webLimits } from '@parley/contract/limits/web'
import { channelsFileName } from '@parley/contract/transfer'
import { localChannels } from '../channels/local-channels'
import { chatInFile } from './export-chats'

/** Text is moved to a blob in chunks of this size; the browser may keep blobs on disk. */
const pieceCharacters = 4_000_000

/**
 * Exports all channels of this device with their messages as one readable file. Only one of them is in memory at a
 * time.
 */
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

  add(
    `{"channels":${JSON.stringify(channels.map((channel) => ({ ...channel, exportedAt: now.toISOString() })))},"chats":{`,
  )
  for (const [index, channel] of channels.entries()) {
    signal.throwIfAborted()
    add(`${index > 0 ? ',' : ''}${JSON.stringify(channel.id)}:[`)
    let isFirst = true
    for await (const { messages } of chatInFile(channel, 'local')) {
      signal.throwIfAborted()
      for (const message of messages) {
        add(`${isFirst ? '' : ','}${message}`)
        isFirst = false
      }
    }
    add(']')
    onProgress(index + 1, channels.length)
  }
  add(`},"exportedAt":${JSON.stringify(now.toISOString())},"version":${JSON.stringify(webLimits.transfer.version)}}`)
  return {
    fileName: channelsFileName(now),
    blob: new Blob([...parts, text], { type: 'application/json' }),
    count: channels.length,
  }
}

import type { Channel } from '@parley/contract/channels'
import type { ChannelRecord, Sealed } from './database'
import { readChannel } from './readable'
import type { Vault } from './vault'

export function sealChannel(vault: Vault, channel: Channel): Promise<Sealed> {
  return vault.seal({ table: 'channels', id: channel.id, channelId: channel.id }, channel)
}

/**
 * Caches decrypted channels: with thousands of channels each is decrypted once. A record that was rewritten has another
 * nonce.
 */
export class ChannelReader {
  private readonly known = new Map<string, { nonce: string; channel: Channel }>()

  constructor(private readonly vault: Vault) {}

  async read(record: ChannelRecord): Promise<Channel> {
    const nonce = `${record.v} ${record.n.join()}`
    const known = this.known.get(record.id)
    if (known?.nonce === nonce) return { ...known.channel, updated_at: record.at }
    const channel = await readChannel(this.vault, record).catch(() => undefined)
    if (channel) this.known.set(record.id, { nonce, channel })
    // The last activity changes with every message, so it is stored outside the encrypted part.
    return channel ? { ...channel, updated_at: record.at } : unreadable(record)
  }
}

/**
 * A stand-in for a channel that cannot be decrypted: it stays in the list, named by its id, so that nothing vanishes
 * silently.
 */
function unreadable({ id, at }: ChannelRecord): Channel {
  return {
    id,
    userId: null,
    channelName: `⚠ ${id.slice(0, 13)}`,
    assistantId: null,
    isDocument: false,
    isImage: false,
    isYoutube: false,
    isLocked: false,
    created_at: at,
    updated_at: at,
    isLocalChannel: true,
    source: 'indexeddb',
  }
}

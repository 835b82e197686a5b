import { uuidv7 } from '@parley/contract/uuid'
import type { Device } from './device'
import { MemoryDatabase } from './memory-database'
import { KeyVault } from './vault'

/** `holds`: whether a channel is in it. `hasMessages`: of any channel. */
export type MemoryDevice = Device & { holds: (channelId: string) => boolean; hasMessages: () => boolean }

/** A vault whose records and key are in the memory of this tab alone: nobody can open them when it is closed. */
export async function openMemoryDevice(): Promise<MemoryDevice> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const db = new MemoryDatabase()
  return {
    db: db.asLocal(),
    vault: new KeyVault([{ kid: uuidv7(), key, createdAt: new Date().toISOString() }]),
    userId: undefined,
    generation: 0,
    forget: () => undefined,
    holds: (channelId) => db.holds('channels', channelId),
    hasMessages: () => db.holds('exchanges'),
  }
}

import * as z from 'zod/mini'
import { StoredChatSettings } from './chat-settings'
import { AppError } from './errors'
import { withoutHidden } from './hidden-characters'
import { limits } from './limits/shared'

/**
 * A named conversation. `source` tells where it lives: indexeddb is this device, postgresql is the cloud, memory is one
 * tab of this device, which never stores it.
 */
export const Channel = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  /** null for an anonymous person */
  userId: z.nullable(z.string()),
  channelName: z.string(),
  assistantId: z.nullable(z.string()),
  isDocument: z.boolean(),
  isImage: z.boolean(),
  isYoutube: z.boolean(),
  isLocked: z.boolean(),
  /** The id once more, as programs of before look for it. Of the cloud alone. */
  _id: z.optional(z.string()),
  deviceInfo: z.optional(z.string()),
  /** ISO 8601 UTC */
  created_at: z.string(),
  /** Last activity, ISO 8601 UTC: what the sidebar groups and sorts by. */
  updated_at: z.string(),
  isLocalChannel: z.boolean(),
  lastSyncedAt: z.optional(z.string()),
  exportedAt: z.optional(z.string()),
  source: z.enum(['indexeddb', 'postgresql', 'memory']),
  /** What whoever asks may do in a channel that another person shares with them; absent in their own. */
  role: z.optional(z.enum(['read', 'write'])),
  /** Whose it is, where it is shared with whoever asks. */
  ownerName: z.optional(z.string()),
  /** People beside the owner; absent where there are none. */
  memberCount: z.optional(z.number()),
  /** How its answers are asked for; absent where nothing is set. `settingsOf` reads them. */
  settings: z.optional(StoredChatSettings),
})
export type Channel = z.infer<typeof Channel>

/** Another person's channel, in which one is a guest. */
export const isGuest = ({ role }: Pick<Channel, 'role'>): boolean => role !== undefined
/** More than one person uses it: it belongs in the cloud, and what is done to it concerns others. */
export const isShared = ({ role, memberCount = 0 }: Pick<Channel, 'role' | 'memberCount'>): boolean =>
  role !== undefined || memberCount > 0

export type StorageMode = 'local' | 'cloud'

const two = (n: number): string => String(n).padStart(2, '0')

/** `Chat DD-MM HH-MM-SS` in local time; when taken, a number is added: `Chat 21-11 09-12-44 (2)`. */
export function defaultChannelName(now: Date, taken: readonly string[] = []): string {
  const name = `Chat ${two(now.getDate())}-${two(now.getMonth() + 1)} ${two(now.getHours())}-${two(now.getMinutes())}-${two(now.getSeconds())}`
  return freeName(name, taken)
}

/** The name itself, or with the first number that makes it free, ignoring case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()))
  if (!used.has(name.toLowerCase())) return name
  for (let n = 2; ; n++) {
    const numbered = `${name} (${n})`
    if (!used.has(numbered.toLowerCase())) return numbered
  }
}

const defaultName = /^Chat \d{2}-\d{2} \d{2}-\d{2}-\d{2}( \(\d+\))?$/

/** Only a default name may be replaced by a suggested one. */
export function isDefaultChannelName(name: string): boolean {
  return defaultName.test(name)
}

/**
 * A name as it is kept: trimmed, without control or hidden characters, at most `limits.channels.maxNameLength`
 * characters.
 */
export function cleanChannelName(name: string): string {
  const plain = withoutHidden(name.replace(/\p{Cc}+/gu, ' ')).trim()
  return Array.from(plain).slice(0, limits.channels.maxNameLength).join('')
}

/** Names are unique per person and assistant, ignoring case. Throws channel.name-taken. */
export function assertNameFree(
  channel: Pick<Channel, 'id' | 'assistantId'>,
  name: string,
  others: readonly Channel[],
): void {
  const wanted = name.toLowerCase()
  const taken = others.some(
    (other) =>
      other.id !== channel.id &&
      other.assistantId === channel.assistantId &&
      other.channelName.toLowerCase() === wanted,
  )
  if (taken) throw new AppError('channel.name-taken')
}

export function assertCanDelete(channel: Pick<Channel, 'isLocked'>): void {
  if (channel.isLocked) throw new AppError('channel.locked-delete')
}

export function assertCanClear(channel: Pick<Channel, 'isLocked'>): void {
  if (channel.isLocked) throw new AppError('channel.locked-clear')
}

/** Newest activity first, then by name descending. */
export function byActivity(a: Channel, b: Channel): number {
  return b.updated_at.localeCompare(a.updated_at) || b.channelName.localeCompare(a.channelName)
}

export type DateGroup = 'today' | 'yesterday' | 'last7days' | 'last30days' | 'previous'

/** The group of a moment, counted in local calendar days before `now`. */
export function dateGroup(iso: string, now: Date): DateGroup {
  const days = calendarDay(now) - calendarDay(new Date(iso))
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days <= 7) return 'last7days'
  return days <= 30 ? 'last30days' : 'previous'
}

// Through UTC so that a day with 23 or 25 hours is still one day.
const calendarDay = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000

/** Case-insensitive substring of the name; a blank search finds everything. */
export function searchChannels<C extends Pick<Channel, 'channelName'>>(channels: readonly C[], query: string): C[] {
  const wanted = query.trim().toLowerCase()
  return wanted === ''
    ? [...channels]
    : channels.filter((channel) => channel.channelName.toLowerCase().includes(wanted))
}

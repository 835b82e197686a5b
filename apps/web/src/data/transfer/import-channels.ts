import { byActivity, type Channel, freeName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { localChannels } from '../channels/local-channels'
import { announce } from '../local/changes'
import { readChannelsFile } from './channels-file-reader'
import { importedChannel, importedMessage } from './imported-entries'

type Options = {
  /** Asked once the whole file has been found good, with the number of its chats. A refusal writes nothing. */
  confirm: (count: number) => Promise<boolean>
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** `errors` holds the first three of what could not be read. */
export type ImportResult = { channelsImported: number; chatsImported: number; skipped: number; errors: string[] }

const shownErrors = 3

/** Imports a channels file: reads it whole first, so that a broken one changes nothing, then writes it channel by channel. Existing ids are skipped. */
export async function importChannels(file: Blob, { confirm, onProgress, signal }: Options): Promise<ImportResult> {
  if (file.size > limits.transfer.maxImportBytes) throw new AppError('transfer.too-large')
  const now = new Date()
  const result: ImportResult = { channelsImported: 0, chatsImported: 0, skipped: 0, errors: [] }
  const problem = (what: string): void => {
    if (result.errors.length < shownErrors) result.errors.push(what)
  }

  const found = new Map<string, Channel>()
  // Reading counts as the first half of the work.
  const half = (part: number): number => Math.round(part / 2)
  await readChannelsFile(file, {
    onChannel: (value) => {
      const channel = importedChannel(value, now)
      if (channel) found.set(channel.id, channel)
      else if (hasUnsafeId(value)) throw new AppError('transfer.invalid')
      else problem('channel')
      if (found.size > limits.transfer.maxChannels) throw new AppError('transfer.too-large')
    },
    onMessage: (channelId, value) => {
      if (!importedMessage(value, channelId, now)) problem('message')
    },
    onBytes: (bytes) => onProgress(half(bytes), file.size),
    signal,
  })
  const agreed = await confirm(found.size)
  signal.throwIfAborted()
  if (!agreed) return result

  const toWrite = await withoutExisting(found, result)
  const write = async (channel: Channel, messages: Message[]): Promise<void> => {
    signal.throwIfAborted()
    await localChannels.importChannel(channel, messages)
    toWrite.delete(channel.id)
    result.channelsImported++
    result.chatsImported += messages.length
  }
  try {
    let open: { channel: Channel; messages: Map<string, Message> } | undefined
    const close = async (): Promise<void> => {
      if (open) await write(open.channel, [...open.messages.values()])
      open = undefined
    }
    await readChannelsFile(file, {
      onChannel: () => undefined,
      onMessage: async (channelId, value) => {
        if (open?.channel.id !== channelId) {
          await close()
          const channel = toWrite.get(channelId)
          if (channel) open = { channel, messages: new Map() }
        }
        const message = importedMessage(value, channelId, now)
        if (open && message) open.messages.set(message.mId, message)
      },
      onBytes: (bytes) => onProgress(half(file.size) + half(bytes), file.size),
      signal,
    })
    await close()
    for (const channel of [...toWrite.values()]) await write(channel, [])
  } finally {
    announce({ kind: 'channels' })
  }
  return result
}

/** The channels that are new here, under names that are free. */
async function withoutExisting(found: Map<string, Channel>, result: ImportResult): Promise<Map<string, Channel>> {
  const existing = await localChannels.list()
  const ids = new Set(existing.map(({ id }) => id))
  const names = new Map<string | null, Set<string>>()
  for (const { assistantId, channelName } of existing) namesOf(names, assistantId).add(channelName.toLowerCase())
  const fresh = new Map<string, Channel>()
  for (const channel of [...found.values()].sort(byActivity)) {
    if (ids.has(channel.id)) {
      result.skipped++
      continue
    }
    const taken = namesOf(names, channel.assistantId)
    const channelName = taken.has(channel.channelName.toLowerCase()) ? freeName(channel.channelName, [...taken]) : channel.channelName
    taken.add(channelName.toLowerCase())
    fresh.set(channel.id, { ...channel, channelName })
  }
  return fresh
}

function namesOf(names: Map<string | null, Set<string>>, assistantId: string | null): Set<string> {
  const known = names.get(assistantId) ?? new Set()
  names.set(assistantId, known)
  return known
}

function hasUnsafeId(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['__proto__', 'constructor', 'prototype'].some((key) => ('id' in value && value.id === key) || ('_id' in value && value._id === key))
}

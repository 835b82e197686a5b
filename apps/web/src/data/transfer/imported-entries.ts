import { type Channel, cleanChannelName } from '@parley/contract/channels'
import { Message } from '@parley/contract/chat'
import { cleanSettings, StoredChatSettings, settingsOf } from '@parley/contract/chat-settings'
import { isSafeKey } from '@parley/contract/transfer'
import * as z from 'zod/mini'

const text = z.catch(z.string(), '')
const flag = z.catch(z.boolean(), false)
const id = z.optional(z.string().check(z.minLength(1), z.maxLength(200), z.refine(isSafeKey)))

/** Field names of older and foreign files. */
const FileChannel = z.object({
  id,
  _id: id,
  channelName: z.string(),
  assistantId: z.catch(z.nullish(z.union([z.string(), z.object({ String: z.string(), Valid: z.boolean() })])), null),
  isDocument: flag,
  isImage: flag,
  isYoutube: flag,
  isLocked: flag,
  deviceInfo: z.catch(z.optional(z.string()), undefined),
  lastSyncedAt: z.catch(z.optional(z.string()), undefined),
  created_at: text,
  updated_at: text,
  settings: z.catch(z.optional(StoredChatSettings), undefined),
})

const FileMessage = z.object({
  mId: id,
  messageId: id,
  _id: id,
  id,
  chat_request: text,
  chat_response: z.catch(z.object({ content: text }), { content: '' }),
  datetime: text,
  date: text,
  status: text,
  model: z.catch(z.optional(z.string()), undefined),
  finishReason: z.catch(z.optional(z.string()), undefined),
  durationMs: z.catch(z.optional(z.number()), undefined),
  empty: z.catch(z.optional(z.boolean()), undefined),
})

/** Normalises a channel of a file, for the current person. Undefined when it is no channel. */
export function importedChannel(value: unknown, now: Date): Channel | undefined {
  const { data } = z.safeParse(FileChannel, value)
  const channelId = data?.id ?? data?._id
  if (!data || !channelId) return undefined
  const { assistantId } = data
  const created = time(data.created_at) ?? now.toISOString()
  const settings = cleanSettings(settingsOf(data))
  return {
    id: channelId,
    userId: null,
    channelName: cleanChannelName(data.channelName) || 'Chat',
    assistantId:
      typeof assistantId === 'object' && assistantId !== null
        ? assistantId.Valid
          ? assistantId.String
          : null
        : (assistantId ?? null),
    isDocument: data.isDocument,
    isImage: data.isImage,
    isYoutube: data.isYoutube,
    isLocked: data.isLocked,
    ...(data.deviceInfo === undefined ? {} : { deviceInfo: data.deviceInfo }),
    ...(data.lastSyncedAt === undefined ? {} : { lastSyncedAt: data.lastSyncedAt }),
    created_at: created,
    updated_at: time(data.updated_at) ?? created,
    isLocalChannel: true,
    source: 'indexeddb',
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}

const finals: ReadonlySet<string> = new Set(['completed', 'stopped', 'interrupted', 'failed'])

/**
 * Normalises a message of a file. One that was in progress when the file was exported becomes interrupted; one without
 * an id gets the fallback.
 */
export function importedMessage(
  value: unknown,
  channelId: string,
  { now, fallbackId }: { now: Date; fallbackId: string },
): Message | undefined {
  const own = z.safeParse(Message, value)
  if (own.success && time(own.data.datetime) === own.data.datetime && isSafeKey(own.data.mId)) {
    // The run is known only to the exporting server.
    const { run: _run, ...message } = own.data
    return { ...message, channelId, status: finals.has(message.status) ? message.status : 'interrupted' }
  }
  const { data } = z.safeParse(FileMessage, value)
  if (!data || !hasText(value)) return undefined
  const status = finals.has(data.status) || data.status === '' ? data.status : 'interrupted'
  return {
    mId: data.mId ?? data.messageId ?? data._id ?? data.id ?? fallbackId,
    channelId,
    chat_request: data.chat_request,
    chat_response: { role: 'assistant', content: data.chat_response.content },
    datetime: time(data.datetime) ?? time(data.date) ?? now.toISOString(),
    status: status === 'stopped' || status === 'interrupted' || status === 'failed' ? status : 'completed',
    ...(data.model === undefined ? {} : { model: data.model }),
    ...(data.finishReason === undefined ? {} : { finishReason: data.finishReason }),
    ...(data.durationMs === undefined ? {} : { durationMs: data.durationMs }),
    ...(data.empty === undefined ? {} : { empty: data.empty }),
  }
}

const FileTexts = z.object({
  chat_request: z.nullish(z.string()),
  chat_response: z.nullish(z.object({ content: z.nullish(z.string()) })),
})

/** Whether there is a text as question or answer: without one the message's text would be lost. */
function hasText(value: unknown): boolean {
  const { data } = z.safeParse(FileTexts, value)
  return typeof data?.chat_request === 'string' || typeof data?.chat_response?.content === 'string'
}

function time(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

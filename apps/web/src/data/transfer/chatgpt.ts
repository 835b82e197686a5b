import { type Channel, cleanChannelName } from '@parley/contract/channels'
import { isSafeKey } from '@parley/contract/transfer'
import * as z from 'zod/mini'
import { conversationOf, type Turn } from './chatgpt-tree'
import { type FileMessage, fileMessagesOf } from './file-trees'

const id = z.string().check(z.minLength(1), z.maxLength(150), z.refine(isSafeKey))
const seconds = z.catch(z.nullish(z.number()), undefined)

const Content = z.looseObject({
  content_type: z.catch(z.string(), 'text'),
  parts: z.catch(z.array(z.unknown()), []),
  text: z.catch(z.string(), ''),
  language: z.catch(z.string(), ''),
})

const Node = z.object({
  parent: z.catch(z.nullish(z.string()), undefined),
  message: z.catch(
    z.nullish(
      z.object({
        author: z.object({ role: z.string() }),
        create_time: seconds,
        content: Content,
        metadata: z.catch(
          z.object({
            model_slug: z.optional(z.string()),
            is_visually_hidden_from_conversation: z.optional(z.boolean()),
          }),
          {},
        ),
      }),
    ),
    undefined,
  ),
})

/**
 * A conversation of ChatGPT's `conversations.json`: a tree of nodes, in which edits and regenerations create branches.
 */
const Conversation = z.object({
  id: z.catch(z.optional(id), undefined),
  conversation_id: z.catch(z.optional(id), undefined),
  title: z.catch(z.string(), ''),
  create_time: seconds,
  update_time: seconds,
  mapping: z.record(z.string(), z.unknown()),
  current_node: z.catch(z.nullish(z.string()), undefined),
})

/**
 * Converts a conversation to a channel with the messages of the branch that was last on screen, and all others beside
 * them. Undefined when it is no conversation. Throws transfer.too-large.
 */
export function fromChatGpt(value: unknown, now: Date): { channel: Channel; messages: FileMessage[] } | undefined {
  const { data } = z.safeParse(Conversation, value)
  const channelId = data?.conversation_id ?? data?.id
  if (!data || channelId === undefined) return undefined
  const created = time(data.create_time) ?? now.toISOString()
  const channel: Channel = {
    id: channelId,
    userId: null,
    channelName: cleanChannelName(data.title) || 'Chat',
    assistantId: null,
    isDocument: false,
    isImage: false,
    isYoutube: false,
    isLocked: false,
    created_at: created,
    updated_at: time(data.update_time) ?? created,
    isLocalChannel: true,
    source: 'indexeddb',
  }
  const { turns, current } = turnsOf(data)
  return { channel, messages: fileMessagesOf(conversationOf(turns, { current, channelId, created })) }
}

/** What people see of a node: what is hidden, empty or not meant for them is none. */
function seenOf(
  nodeId: string,
  value: unknown,
): { parent: string | undefined; turn: Omit<Turn, 'before'> | undefined } {
  const node = z.safeParse(Node, value).data
  const parent = node?.parent ?? undefined
  const message = node?.message
  if (!message || message.author.role === 'system' || message.metadata.is_visually_hidden_from_conversation)
    return { parent, turn: undefined }
  const { author, content, create_time, metadata } = message
  const text = textOf(content)
  const isQuestion = author.role === 'user'
  const turn = { nodeId, isQuestion, text, at: time(create_time), model: isQuestion ? undefined : metadata.model_slug }
  return { parent, turn: text === '' ? undefined : turn }
}

/**
 * The turns of a conversation, each after the one that it follows, and the one that was on screen: without one, the
 * last. A manipulated tree may contain cycles, which begin where they close.
 */
function turnsOf({ mapping, current_node }: z.infer<typeof Conversation>): {
  turns: Turn[]
  current: string | undefined
} {
  const nodes = new Map(Object.entries(mapping).map(([nodeId, value]) => [nodeId, seenOf(nodeId, value)]))
  const known = current_node && nodes.has(current_node) ? current_node : [...nodes.keys()].at(-1)
  /** The nearest turn at or before a node that was placed. */
  const nearest = new Map<string, string | undefined>()
  const turns: Turn[] = []
  for (const first of known === undefined ? [] : [known, ...nodes.keys()]) {
    const way = new Set<string>()
    let at: string | undefined = first
    while (at !== undefined && nodes.has(at) && !way.has(at) && !nearest.has(at)) {
      way.add(at)
      at = nodes.get(at)?.parent
    }
    let before = at === undefined || way.has(at) ? undefined : nearest.get(at)
    for (const nodeId of [...way].reverse()) {
      const turn = nodes.get(nodeId)?.turn
      if (turn) turns.push({ ...turn, before })
      before = turn ? nodeId : before
      nearest.set(nodeId, before)
    }
  }
  return { turns, current: known === undefined ? undefined : nearest.get(known) }
}

/**
 * The text of a node. Other content becomes its type in brackets: an export has no pictures, and tool calls are not
 * meant for reading.
 */
function textOf({ content_type, parts, text, language }: z.infer<typeof Content>): string {
  switch (content_type) {
    case 'text':
    case 'multimodal_text':
      return parts
        .map(partText)
        .filter((part) => part.trim() !== '')
        .join('\n\n')
    case 'code':
      return text.trim() === ''
        ? ''
        : `\`\`\`${/^[\w+-]+$/.test(language) && language !== 'unknown' ? language : ''}\n${text}\n\`\`\``
    default:
      return `[${content_type.replaceAll(/[^\w-]/g, ' ').slice(0, 60)}]`
  }
}

const Part = z.object({ content_type: z.string(), text: z.catch(z.string(), '') })

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const { data } = z.safeParse(Part, part)
  if (!data) return ''
  return data.text.trim() === '' ? `[${data.content_type.replaceAll(/[^\w-]/g, ' ').slice(0, 60)}]` : data.text
}

function time(at: number | null | undefined): string | undefined {
  const date = new Date((at ?? Number.NaN) * 1_000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

import { type Channel, cleanChannelName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { isSafeKey } from '@parley/contract/transfer'
import * as z from 'zod/mini'

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
        metadata: z.catch(z.object({ model_slug: z.optional(z.string()), is_visually_hidden_from_conversation: z.optional(z.boolean()) }), {}),
      }),
    ),
    undefined,
  ),
})

/** A conversation of ChatGPT's `conversations.json`: a tree of nodes, in which editing and regenerating make branches. */
const Conversation = z.object({
  id: z.catch(z.optional(id), undefined),
  conversation_id: z.catch(z.optional(id), undefined),
  title: z.catch(z.string(), ''),
  create_time: seconds,
  update_time: seconds,
  mapping: z.record(z.string(), z.unknown()),
  current_node: z.catch(z.nullish(z.string()), undefined),
})

type Said = { nodeId: string; role: string; text: string; at: string | undefined; model: string | undefined }

/** As a channel with its messages: those of the branch that was last on screen. Undefined when it is no conversation. */
export function fromChatGpt(value: unknown, now: Date): { channel: Channel; messages: Message[] } | undefined {
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
  return { channel, messages: exchanges(channelId, branch(data), created) }
}

/** From the beginning to the current node; without one, to the node that was written last. */
function branch({ mapping, current_node }: z.infer<typeof Conversation>): Said[] {
  const said: Said[] = []
  const seen = new Set<string>()
  let nodeId = current_node && Object.hasOwn(mapping, current_node) ? current_node : Object.keys(mapping).at(-1)
  while (nodeId !== undefined && Object.hasOwn(mapping, nodeId) && !seen.has(nodeId)) {
    // A tree that was tampered with may go in circles.
    seen.add(nodeId)
    const node = z.safeParse(Node, mapping[nodeId]).data
    const message = node?.message
    if (message && message.author.role !== 'system' && !message.metadata.is_visually_hidden_from_conversation) {
      const { author, content, create_time, metadata } = message
      said.push({ nodeId, role: author.role, text: textOf(content), at: time(create_time), model: metadata.model_slug })
    }
    nodeId = node?.parent ?? undefined
  }
  return said.filter(({ text }) => text !== '').reverse()
}

/** A question and everything that was answered to it. */
function exchanges(channelId: string, said: readonly Said[], created: string): Message[] {
  const messages: Message[] = []
  for (const { nodeId, role, text, at, model } of said) {
    const last = messages.at(-1)
    const isQuestion = role === 'user'
    if (last && isQuestion && last.chat_response.content === '') last.chat_request = joined(last.chat_request, text)
    else if (last && !isQuestion) {
      last.chat_response.content = joined(last.chat_response.content, text)
      if (model !== undefined) last.model = model
    } else {
      messages.push({
        mId: `${nodeId.slice(0, 200)}`,
        channelId,
        chat_request: isQuestion ? text : '',
        chat_response: { role: 'assistant', content: isQuestion ? '' : text },
        datetime: at ?? last?.datetime ?? created,
        status: 'completed',
        ...(model === undefined || isQuestion ? {} : { model }),
      })
    }
  }
  return messages
}

const joined = (before: string, text: string): string => (before === '' ? text : `${before}\n\n${text}`)

/** What is not text stands as its name in brackets: an export holds no pictures, and what tools exchanged is not for reading. */
function textOf({ content_type, parts, text, language }: z.infer<typeof Content>): string {
  switch (content_type) {
    case 'text':
    case 'multimodal_text':
      return parts
        .map(partText)
        .filter((part) => part.trim() !== '')
        .join('\n\n')
    case 'code':
      return text.trim() === '' ? '' : `\`\`\`${/^[\w+-]+$/.test(language) && language !== 'unknown' ? language : ''}\n${text}\n\`\`\``
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

import { PassThrough } from 'node:stream'
import type { CreateChatMessage } from '@parley/contract/chat'
import { chatStreamRoutes, profileImagePrompt } from '@parley/contract/chat-stream'
import { type AgentTrial, chatTryRoutes } from '@parley/contract/chat-try'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import type { Bus } from '../../providers/bus'
import { type AgentBrief, briefOfDraft } from '../agents/agent-chat-service'
import type { PictureService } from '../agents/picture-service'
import { isInChannel } from '../channels/access-service'
import { watchAnswer } from './answer-watch'
import { finalMessage } from './chat-answer'
import type { ChatService, Person } from './chat-service'
import { encodeFrame } from './frames'

type Deps = {
  db: Db
  bus: Bus
  log: FastifyBaseLogger
  service: ChatService
  pictures: PictureService
  /** The keyed hash of a network address. */
  hashAddress: (address: string) => string
}

type Asked = { message: string; assistantId?: string | null | undefined; channelId?: string | null | undefined }

/** Mounts POST /api/chat/stream and POST /api/chat/try: the same questions, rules and limits as on the socket. */
export function registerChatStream(app: FastifyInstance, deps: Deps): void {
  const options = { permission: 'person', perMinute: limits.chat.maxMessagesPerMinute } as const
  const asker = (subject: string, sessionId: string, { ip }: FastifyRequest): Person => ({ subject, address: deps.hashAddress(ip), sessionId })
  handle(app, chatStreamRoutes.ask, options, async ({ person: { userId, sessionId }, subject, body, request, reply }) => {
    reply.type('text/event-stream')
    if (body.message.startsWith(profileImagePrompt)) return pictureEvents(await deps.pictures.madeFrom(userId, body.message))
    return answerEvents(asker(subject, sessionId, request), { question: await questionOf(body, userId, deps) }, request, deps)
  })
  handle(app, chatTryRoutes.ask, options, async ({ person: { sessionId }, subject, body, request, reply }) => {
    reply.type('text/event-stream')
    return answerEvents(asker(subject, sessionId, request), trialOf(body), request, deps)
  })
}

const event = (frame: string): string => `data: ${frame}\n\n`

function pictureEvents(address: string): string {
  const ids = { messageId: uuidv7(), mId: uuidv7() }
  const end = { event: 'end' as const, ...finalMessage({ mId: ids.mId, model: 'image' }, address, {}) }
  return event(encodeFrame(ids, 1, { event: 'content', content: address, flagImage: true })) + event(encodeFrame(ids, 2, end))
}

type Question = Omit<CreateChatMessage, 'userLanguage'>

async function questionOf({ message, assistantId, channelId }: Asked, userId: string, { db }: Deps): Promise<Question> {
  const messageId = uuidv7()
  const isKept = typeof channelId === 'string' && (await isInChannel(db, { actorId: userId, channelId }))
  return {
    question: message,
    assistantId,
    channelId: isKept ? channelId : messageId,
    messageId,
    storageMode: isKept ? 'cloud' : 'local',
    lastMessages: [],
  }
}

/** As a question on a device, of which the server keeps no word; neither does it of the draft. */
function trialOf({ messages, model, knowledge = '', ...draft }: AgentTrial): { question: Question; draft: AgentBrief } {
  const messageId = uuidv7()
  const question = messages.at(-1)?.content ?? ''
  return {
    question: { question, channelId: messageId, messageId, storageMode: 'local', lastMessages: messages.slice(0, -1), model },
    draft: briefOfDraft({ ...draft, knowledge }, question),
  }
}

/** Throws what asking throws, before anything is sent. Whoever hangs up stops the answer: nobody else reads it. */
async function answerEvents(person: Person, { question, draft }: { question: Question; draft?: AgentBrief }, request: FastifyRequest, deps: Deps) {
  const { service, bus, log } = deps
  const language = requestLanguage(request)
  const { messageId } = question
  await service.ask(person, { ...question, userLanguage: language?.slice(0, 20) }, draft)
  const events = new PassThrough()
  const controller = new AbortController()
  const alive = setInterval(() => events.write(':\n\n'), limits.chat.streamCommentMs)
  events.once('close', () => {
    clearInterval(alive)
    controller.abort()
  })
  const send = (frame: string) => (events.write(event(frame)) ? undefined : drained(events))
  watchAnswer({ bus, messageId, afterSeq: 0, language, find: () => service.find(person, messageId), send, signal: controller.signal })
    .then(async () => {
      if (controller.signal.aborted) await service.stop(person, messageId)
    })
    .catch((error: unknown) => log.error({ err: error }, 'streaming an answer failed'))
    .finally(() => {
      clearInterval(alive)
      events.end()
    })
  return events
}

const drained = (events: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const goOn = (): void => {
      events.off('drain', goOn).off('close', goOn)
      resolve()
    }
    events.on('drain', goOn).on('close', goOn)
  })

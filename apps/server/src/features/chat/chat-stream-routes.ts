import { PassThrough } from 'node:stream'
import { chatStreamRoutes, profileImagePrompt } from '@parley/contract/chat-stream'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import type { Bus } from '../../providers/bus'
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

/** Mounts POST /api/chat/stream: the same questions, rules and limits as on the socket. */
export function registerChatStream(app: FastifyInstance, deps: Deps): void {
  const options = { permission: 'person', perMinute: limits.chat.maxMessagesPerMinute } as const
  handle(app, chatStreamRoutes.ask, options, async ({ person: { userId, sessionId }, subject, body, request, reply }) => {
    reply.type('text/event-stream')
    if (body.message.startsWith(profileImagePrompt)) return pictureEvents(await deps.pictures.madeFrom(userId, body.message))
    return answerEvents({ subject, address: deps.hashAddress(request.ip), sessionId }, userId, body, request, deps)
  })
}

const event = (frame: string): string => `data: ${frame}\n\n`

function pictureEvents(address: string): string {
  const ids = { messageId: uuidv7(), mId: uuidv7() }
  const end = { event: 'end' as const, ...finalMessage({ mId: ids.mId, model: 'image' }, address, {}) }
  return event(encodeFrame(ids, 1, { event: 'content', content: address, flagImage: true })) + event(encodeFrame(ids, 2, end))
}

/** Throws what asking throws, before anything is sent. Whoever hangs up stops the answer: nobody else reads it. */
async function answerEvents(person: Person, userId: string, { message, assistantId, channelId }: Asked, request: FastifyRequest, deps: Deps) {
  const { db, service, bus, log } = deps
  const language = requestLanguage(request)
  const messageId = uuidv7()
  const isKept = typeof channelId === 'string' && (await isInChannel(db, { actorId: userId, channelId }))
  await service.ask(person, {
    question: message,
    assistantId,
    channelId: isKept ? channelId : messageId,
    messageId,
    storageMode: isKept ? 'cloud' : 'local',
    lastMessages: [],
    userLanguage: language?.slice(0, 20),
  })
  const events = new PassThrough()
  const controller = new AbortController()
  events.once('close', () => controller.abort())
  const send = (frame: string) => (events.write(event(frame)) ? undefined : drained(events))
  watchAnswer({ bus, messageId, afterSeq: 0, language, find: () => service.find(person, messageId), send, signal: controller.signal })
    .then(async () => {
      if (controller.signal.aborted) await service.stop(person, messageId)
    })
    .catch((error: unknown) => log.error({ err: error }, 'streaming an answer failed'))
    .finally(() => events.end())
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

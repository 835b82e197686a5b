import { PassThrough } from 'node:stream'
import type { CreateChatMessage } from '@parley/contract/chat'
import { chatStreamRoutes, profileImagePrompt } from '@parley/contract/chat-stream'
import { type AgentTrial, chatTryRoutes } from '@parley/contract/chat-try'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { type SummaryRequest, summaryRoutes } from '@parley/contract/summaries'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import type { Bus } from '../../providers/bus/bus'
import type { AgentBriefs } from '../agents/public/agent-briefs'
import type { PictureMaker } from '../agents/public/picture-maker'
import { isInChannel } from '../channels/public/channel-access'
import type { AnswerService } from './answer-service'
import { watchAnswer } from './answer-watch'
import { devicePath } from './device-path'
import { finalMessage } from './final-message'
import { encodeFrame } from './frames'
import type { Special } from './prepare'
import type { QuestionService } from './question-service'
import type { Visitor } from './visitor'

type Deps = {
  db: Db
  bus: Bus
  log: FastifyBaseLogger
  questions: QuestionService
  answers: AnswerService
  pictures: PictureMaker
  agents: Pick<AgentBriefs, 'briefOfDraft'>
  /** The keyed hash of a network address. */
  hashAddress: (address: string) => string
}

type StreamRequest = { message: string; assistantId?: string | null | undefined; channelId?: string | null | undefined }

/** Mounts POST /api/chat/stream and POST /api/chat/try, with the same rules and limits as on the socket. */
export function registerChatStream(app: FastifyInstance, deps: Deps): void {
  const options = { permission: 'person', perMinute: serverLimits.chat.maxMessagesPerMinute } as const
  const visitorOf = (subject: string, sessionId: string, { ip }: FastifyRequest): Visitor => ({
    subject,
    address: deps.hashAddress(ip),
    sessionId,
  })
  handle(
    app,
    chatStreamRoutes.ask,
    options,
    async ({ person: { userId, sessionId }, subject, body, request, reply }) => {
      reply.type('text/event-stream')
      if (body.message.startsWith(profileImagePrompt))
        return pictureEvents(await deps.pictures.pictureFrom(userId, body.message))
      return answerEvents(
        visitorOf(subject, sessionId, request),
        { question: await questionOf(body, userId, deps) },
        request,
        deps,
      )
    },
  )
  handle(app, chatTryRoutes.ask, options, async ({ person, subject, body, request, reply }) => {
    const trial = await trialOf(body, person.userId, deps)
    reply.type('text/event-stream')
    return answerEvents(visitorOf(subject, person.sessionId, request), trial, request, deps)
  })
  handle(
    app,
    summaryRoutes.ask,
    { ...options, bodyBytes: serverLimits.chat.summaryBodyBytes, keepsAnyText: true },
    async ({ person: { sessionId }, subject, body, request, reply }) => {
      reply.type('text/event-stream')
      return answerEvents(visitorOf(subject, sessionId, request), summaryOf(body), request, deps)
    },
  )
}

const event = (frame: string): string => `data: ${frame}\n\n`

function pictureEvents(address: string): string {
  const ids = { messageId: uuidv7(), mId: uuidv7() }
  const end = { event: 'end' as const, ...finalMessage({ mId: ids.mId, model: 'image' }, address, {}) }
  return (
    event(encodeFrame(ids, 1, { event: 'content', content: address, flagImage: true })) +
    event(encodeFrame(ids, 2, end))
  )
}

type Question = Omit<CreateChatMessage, 'userLanguage'>

async function questionOf(
  { message, assistantId, channelId }: StreamRequest,
  userId: string,
  { db }: Deps,
): Promise<Question> {
  const messageId = uuidv7()
  const isInCloud = typeof channelId === 'string' && (await isInChannel(db, { actorId: userId, channelId }))
  return {
    question: message,
    assistantId,
    channelId: isInCloud ? channelId : messageId,
    messageId,
    storageMode: isInCloud ? 'cloud' : 'local',
    lastMessages: [],
  }
}

/** A question as from a local channel: the server stores neither its text nor the draft. */
async function trialOf(
  { messages, model, knowledge = '', knowledgeFiles: fileIds = [], ...draft }: AgentTrial,
  userId: string | undefined,
  { agents }: Deps,
): Promise<{ question: Question } & Special> {
  const messageId = uuidv7()
  const question = messages.at(-1)?.content ?? ''
  return {
    question: {
      question,
      channelId: messageId,
      messageId,
      storageMode: 'local',
      lastMessages: messages.slice(0, -1),
      model,
    },
    draft: await agents.briefOfDraft({ ...draft, knowledge }, { userId, fileIds, question }),
  }
}

/** As a question of a local channel: what is summarised is in no exchange. The request tells repetitions apart. */
function summaryOf(request: SummaryRequest): { question: Question } & Special {
  const { messageId, model } = request
  const question: Question = {
    ...{ question: JSON.stringify(request), channelId: messageId, messageId, storageMode: 'local', lastMessages: [] },
    settings: { answerTokens: limits.context.mostSummaryTokens },
    ...(model === undefined ? {} : { model }),
  }
  if (request.storageMode === 'cloud') {
    const { channelId, upToRunId } = request
    return { question, summary: { channelId, upToRunId } }
  }
  const exchanges = devicePath({ lastMessages: request.messages })
  return { question, summary: { before: request.before, exchanges } }
}

/** Throws as QuestionService.ask, before anything is sent. A client that disconnects stops its answer. */
async function answerEvents(
  visitor: Visitor,
  { question, ...special }: { question: Question } & Special,
  request: FastifyRequest,
  deps: Deps,
) {
  const { questions, answers, bus, log } = deps
  const language = requestLanguage(request)
  const { messageId } = question
  await questions.ask(visitor, { ...question, userLanguage: language?.slice(0, 20) }, special)
  const events = new PassThrough()
  const controller = new AbortController()
  const keepAlive = setInterval(() => events.write(':\n\n'), serverLimits.chat.streamCommentMs)
  events.once('close', () => {
    clearInterval(keepAlive)
    controller.abort()
  })
  const send = (frame: string) => (events.write(event(frame)) ? undefined : drained(events))
  watchAnswer({
    bus,
    messageId,
    afterSeq: 0,
    language,
    find: () => answers.find(visitor, messageId),
    send,
    signal: controller.signal,
  })
    .then(async () => {
      if (controller.signal.aborted) await answers.stop(visitor, messageId)
    })
    .catch((error: unknown) => log.error({ err: error }, 'streaming an answer failed'))
    .finally(() => {
      clearInterval(keepAlive)
      events.end()
    })
  return events
}

const drained = (events: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const resume = (): void => {
      events.off('drain', resume).off('close', resume)
      resolve()
    }
    events.on('drain', resume).on('close', resume)
  })

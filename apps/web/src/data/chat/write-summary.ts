import { ServerFrame } from '@parley/contract/chat'
import { messagesOf } from '@parley/contract/context'
import { messagesOfExchange } from '@parley/contract/context-plan'
import { summaryOf } from '@parley/contract/context-summary'
import type { Summary } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import { type SummaryRequest, summaryRoutes } from '@parley/contract/summaries'
import { uuidv7 } from '@parley/contract/uuid'
import * as z from 'zod/mini'
import { apiEvents } from '../api/event-stream'
import type { ChannelStore } from '../channels/channel-store'
import { findHome, homes } from '../channels/homes'
import { announce } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { requestModelId } from '../models/chosen-model'
import { storedSession } from '../session/stored-session'
import { type PathExchange, readPathBefore } from './path-before'
import { type SummaryRun, useSummaryState } from './summary-state'

/** The exchange that a summary ends with, and its run. */
type Place = { mId: string; runId: string }

/**
 * Asks for a summary of a chat up to a run, and stores it. One tab at a time does, and not where the run has one. What
 * fails is a state of the chat, from which the person may try again; what was written, and could not be stored, is only
 * stored again then.
 */
export async function writeSummary(channelId: string, place: Place): Promise<void> {
  const known = useSummaryState.getState().runs[channelId]
  if (known?.phase === 'writing') return
  const controller = new AbortController()
  const unsaved: { summary: Summary | undefined } = {
    summary: known?.phase === 'failed' && known.mId === place.mId ? known.unsaved : undefined,
  }
  setRun(channelId, { phase: 'writing', mId: place.mId, controller }, { isAsked: false })
  try {
    await withTabLock(`summary:${channelId}`, () => write(channelId, place, { signal: controller.signal, unsaved }))
    setRun(channelId, undefined)
  } catch {
    // Where the person has cancelled it, the chat says again what is not sent.
    const failed = { phase: 'failed' as const, mId: place.mId, unsaved: unsaved.summary }
    setRun(channelId, controller.signal.aborted ? undefined : failed)
  }
}

/** Stops what is being written; the text so far is dropped. */
export function cancelSummary(channelId: string): void {
  const run = useSummaryState.getState().runs[channelId]
  if (run?.phase === 'writing') run.controller.abort()
}

function setRun(channelId: string, run: SummaryRun | undefined, { isAsked = true } = {}): void {
  useSummaryState.setState(({ runs: { [channelId]: _run, ...runs }, asked: { [channelId]: was, ...asked } }) => ({
    runs: run ? { ...runs, [channelId]: run } : runs,
    asked: was && isAsked ? { ...asked, [channelId]: was } : asked,
  }))
}

type Writing = { signal: AbortSignal; unsaved: { summary: Summary | undefined } }

async function write(channelId: string, place: Place, { signal, unsaved }: Writing): Promise<void> {
  // Another person may use this page before it ends.
  const owner = { userId: storedSession()?.user.id }
  const home = await findHome(channelId)
  if ((await home.summaries(channelId)).some(({ upToRunId }) => upToRunId === place.runId)) return
  signal.throwIfAborted()
  if (home === homes.cloud) {
    await request({ ...asked(), storageMode: 'cloud', channelId, upToRunId: place.runId }, signal)
    // The server has stored it.
    return announce({ kind: 'summaries', channelId })
  }
  unsaved.summary ??= await summariseHere(home, channelId, place, signal)
  await home.putSummary(unsaved.summary, owner)
}

function asked(): Pick<SummaryRequest, 'messageId' | 'model'> {
  const model = requestModelId()
  return { messageId: uuidv7(), ...(model === undefined ? {} : { model }) }
}

/** The server is given the messages, and keeps nothing. */
async function summariseHere(
  home: ChannelStore,
  channelId: string,
  { mId, runId }: Place,
  signal: AbortSignal,
): Promise<Summary> {
  const [{ exchanges }, summaries] = await Promise.all([readPathBefore(home, channelId), home.summaries(channelId)])
  const end = exchanges.findIndex((each) => each.mId === mId && each.runId === runId)
  if (end < 0) throw new AppError('not-found')
  const path: PathExchange[] = exchanges.slice(0, end + 1)
  const before = summaryOf(path, summaries)
  const since = path.slice(path.findIndex((each) => each.mId === before?.exchangeId) + 1)
  const ids = asked()
  const { text, cost } = await request(
    {
      ...{ ...ids, storageMode: 'local', messages: messagesOf(since) },
      ...(before === undefined ? {} : { before: before.text }),
    },
    signal,
  )
  return {
    ...{ id: ids.messageId, channelId, upToRunId: runId, exchangeId: mId, text, editedByPerson: false },
    messages: since.length * messagesOfExchange + (before?.messages ?? 0),
    ...(cost === undefined ? {} : { cost }),
  }
}

/** Throws AppError where no whole summary comes. */
async function request(body: SummaryRequest, signal: AbortSignal): Promise<{ text: string; cost: string | undefined }> {
  for await (const event of apiEvents(summaryRoutes.ask, { body, signal })) {
    const frame = z.safeParse(ServerFrame, event).data
    if (frame?.event === 'end' && !frame.message.empty)
      return { text: frame.message.chat_response.content, cost: frame.message.usage?.cost }
    if (frame?.event === 'end' || frame?.event === 'stopped') throw new AppError('chat.interrupted')
    if (frame?.event === 'error' || frame?.event === 'error-openrouter' || frame?.event === 'no-credits')
      throw new AppError('chat.interrupted')
  }
  throw new AppError('network')
}

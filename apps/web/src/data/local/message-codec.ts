import { isOver, type Message } from '@parley/contract/chat'
import type { Exchange, Run } from '@parley/contract/conversations'
import { type ExchangeWithRuns, messageOf, recordsOf } from '@parley/contract/message-adapter'
import { textOf } from '@parley/contract/parts'
import type { ExchangeRecord, RunRecord } from './database'
import type { StoredExchange } from './exchange-records'
import { exchangeForm, isOldForm, readExchange, readOldMessage, readRun } from './readable'
import { storageError } from './storage-error'
import type { Vault } from './vault'

export async function sealExchange(
  vault: Vault,
  exchange: Exchange,
  { chatId, position }: Pick<ExchangeRecord, 'chatId' | 'position'>,
): Promise<ExchangeRecord> {
  const { id, channelId, askedAt: at, afterRunId } = exchange
  const sealed = await vault.seal({ table: 'exchanges', id, channelId }, exchange)
  return { ...{ id, chatId, channelId, position, at, form: exchangeForm, afterRunId }, ...sealed }
}

export async function sealRun(vault: Vault, run: Run, chatId: string): Promise<RunRecord> {
  const { id, channelId, exchangeId, startedAt, continues } = run
  const sealed = await vault.seal({ table: 'runs', id, channelId }, run)
  return {
    ...{ id, chatId, channelId, exchangeId, startedAt },
    ...(continues === undefined ? {} : { continues }),
    ...sealed,
  }
}

/**
 * Reads an exchange with all its runs. Throws storage.unreadable and storage.newer-version where any of them cannot be
 * read. `afterRunId`: what a Message of version 2 follows.
 */
export async function readConversation(
  vault: Vault,
  { record, runs }: StoredExchange,
  afterRunId: string | null,
): Promise<ExchangeWithRuns> {
  if (isOldForm(record)) return recordsOf(await readOldMessage(vault, record), afterRunId)
  const [exchange, read] = await Promise.all([
    readExchange(vault, record),
    Promise.all(runs.map((run) => readRun(vault, run))),
  ])
  return { exchange, runs: read.length > 0 ? read : [lostRun(exchange)] }
}

/**
 * The run of an exchange to show, and the one that it took the place of; of a line: its newest run, and the one before.
 */
export type RunChoice = { runId: string; replacedId?: string | undefined }

/**
 * Reads the message that shows a run of an exchange. Decrypts only the runs that this needs. Throws storage.unreadable
 * and storage.newer-version.
 */
export async function readMessage(
  vault: Vault,
  { record, runs }: StoredExchange,
  choice?: RunChoice,
): Promise<Message> {
  if (isOldForm(record)) return readOldMessage(vault, record)
  const at = choice ? runs.findIndex(({ id }) => id === choice.runId) : runs.length - 1
  const chosen = runs[at]
  const [exchange, shown] = await Promise.all([readExchange(vault, record), chosen && readChain(vault, chosen, runs)])
  if (!chosen || !shown) return messageOf({ exchange, runs: [lostRun(exchange)] }, exchange.id)
  const before = runs.find(({ id }) => id === choice?.replacedId) ?? runs[at - 1]
  // A run that has brought no text yet carries the answer of before.
  const isWaiting = shown.some((run) => run.id === chosen.id && !isOver(run) && textOf(run.answer) === '')
  const previous = before && isWaiting ? await readChain(vault, before, runs).catch(() => []) : []
  const known = new Map([...previous, ...shown].map((run) => [run.id, run]))
  return messageOf({ exchange, runs: runs.flatMap(({ id }) => known.get(id) ?? []) }, chosen.id)
}

/** A run and those that it goes on with. */
function readChain(vault: Vault, run: RunRecord, runs: readonly RunRecord[]): Promise<Run[]> {
  const chain = new Set([run])
  for (const { continues } of chain) {
    const before = runs.find(({ id }) => id === continues)
    if (before) chain.add(before)
  }
  return Promise.all([...chain].map((each) => readRun(vault, each)))
}

/** Stands for the runs of an exchange that has none. */
const lostRun = ({ id, channelId, askedAt }: Exchange): Run => ({
  ...{ id, channelId, exchangeId: id, answer: [], status: 'interrupted', startedAt: askedAt },
})

/** As readMessage. A record that cannot be read is shown as such, and kept. */
export async function openMessage(vault: Vault, stored: StoredExchange, choice?: RunChoice): Promise<Message> {
  try {
    return await readMessage(vault, stored, choice)
  } catch (error) {
    const { code, message } = storageError(error)
    return {
      mId: stored.record.id,
      channelId: stored.record.channelId,
      chat_request: '',
      chat_response: { role: 'assistant', content: '' },
      datetime: stored.record.at,
      status: 'failed',
      error: { code, content: message },
    }
  }
}

/**
 * The id of the run that an exchange shows: what the next exchange follows. An exchange that cannot be read stands for
 * its run by its own id.
 */
export async function shownRunId(vault: Vault, { record, runs }: StoredExchange): Promise<string> {
  if (!isOldForm(record)) return runs.at(-1)?.id ?? record.id
  const message = await readOldMessage(vault, record).catch(() => undefined)
  return message?.run?.messageId ?? record.id
}

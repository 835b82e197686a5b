import * as z from 'zod/mini'
import { isOver, type Message, Uuid } from './chat'
import type { Run } from './conversations'
import { laterTime, recordsOf } from './message-adapter'
import { uuidv7 } from './uuid'

/** What a store tells of a run without opening it. */
export type RunHead = Pick<Run, 'id' | 'startedAt' | 'continues'>

/** A run, and the message that shows it. */
export type ShownRun = { run: Run; message: Message }

/**
 * The runs to write, so that an exchange that is stored shows a message. A run that is stored is written anew; any
 * other one becomes another run of the exchange, and those of before stay. `stored`: its runs, oldest first. `shown`:
 * the one of them that was read until now, needed where the run of the message is not stored. `replacedId`: the run
 * that was read before that of the message was asked for; without it the run before. The question is not looked at: it
 * never changes.
 */
export function runsToWrite(
  message: Message,
  stored: readonly RunHead[],
  shown?: ShownRun,
  replacedId?: string,
): Run[] {
  const records = recordsOf(message, null).runs
  const own = records.at(-1)
  const newest = stored.at(-1)
  if (!own || !newest) return records
  const at = stored.findIndex(({ id }) => id === own.id)
  if (at >= 0 && (message.run !== undefined || own.id === newest.id))
    return writtenAnew(message, records, stored, { at, replacedId })
  if (!shown) throw new RangeError('the run that is shown is needed')

  const run = { ...own, id: message.run === undefined ? uuidv7() : own.id }
  // Whoever asks again has given up the run before, which brings nothing more.
  const ended: Run[] = isOver(shown.run) ? [] : [{ ...shown.run, status: 'interrupted' }]
  const startedAt = laterTime(run.startedAt, newest.startedAt)
  if (run.continues === undefined) return [...ended, { ...run, startedAt }]
  const before = message.chat_response.content.slice(0, message.run?.base)
  if (before === shown.message.chat_response.content)
    return [...ended, { ...withoutCopiedUsage(message, run), startedAt, continues: shown.run.id }]
  // It goes on with a text that is stored nowhere.
  const continued = records.slice(0, 1).map((each) => ({ ...each, id: `${run.id}:before`, startedAt }))
  return [...ended, ...continued, { ...run, startedAt: laterTime('', startedAt), continues: `${run.id}:before` }]
}

function writtenAnew(
  message: Message,
  records: Run[],
  stored: readonly RunHead[],
  { at, replacedId }: { at: number; replacedId: string | undefined },
): Run[] {
  const own = records.at(-1)
  const known = stored[at]
  if (!own || !known) return records
  const { continues: goesOn, ...run } = { ...own, startedAt: known.startedAt }
  if (goesOn === undefined) return [run]
  const continues = known.continues ?? replacedId ?? stored[at - 1]?.id
  if (continues === undefined) return records
  return [{ ...(known.continues === undefined ? withoutCopiedUsage(message, run) : run), continues }]
}

/**
 * A regenerated answer that never came shows the answer of before again, as a run that goes on with it and adds
 * nothing; what that answer has used is counted with it.
 */
function withoutCopiedUsage(message: Message, run: Run): Run {
  if (!isOver(run) || run.answer.length > 0 || message.run?.used !== undefined) return run
  const { usage: _usage, ...rest } = run
  return rest
}

/** The runs under ids that are not taken, in this exchange. */
export function withOwnIds(runs: readonly Run[], exchangeId: string, isTaken: (id: string) => boolean): Run[] {
  const ids = new Map<string, string>()
  const used = new Set(runs.filter(({ id }) => !isTaken(id)).map(({ id }) => id))
  for (const { id } of runs) {
    let own = id
    for (let n = 0; isTaken(own) || (own !== id && used.has(own)); n++)
      own = n === 0 ? exchangeId : `${exchangeId}:${n}`
    used.add(own)
    ids.set(id, own)
  }
  return runs.map((run) => {
    const { continues, seq, ...rest } = run
    const id = ids.get(run.id) ?? run.id
    return {
      ...{ ...rest, id, exchangeId },
      // On the wire the id of a run is a UUID; another one is known here alone.
      ...(seq === undefined || !z.safeParse(Uuid, id).success ? {} : { seq }),
      ...(continues === undefined ? {} : { continues: ids.get(continues) ?? continues }),
    }
  })
}

import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import { isInChannel } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { ChargeService } from '../credits/public/charges'
import type { RunningAnswer } from '../messages/public/running-answer-store'
import { publishStop } from './answer-stop'
import type { GenerationRunner } from './generation-runner'
import {
  deleteGeneration,
  deleteGenerations,
  findGeneration,
  findInSharedChannel,
  findRunningInOwnChannel,
  type Generation,
  hasMessage,
  lockRunning,
  runningIdsOf,
} from './generation-store'
import { endOrphan, type OrphanedAnswer, publishInterrupted } from './orphaned-answer'
import type { Visitor } from './visitor'

type Deps = {
  db: Db
  bus: Bus
  runner: Pick<GenerationRunner, 'stop'>
  charges: ChargeService
  channelEvents: ChannelEvents
  log: FastifyBaseLogger
  now: () => number
}

/** Answers that exist: who may read them, and how they are stopped. */
export class AnswerService {
  constructor(private readonly deps: Deps) {}

  /** Only the person who asked and the channel's owner can stop an answer; for others this has no effect. */
  async stop({ subject }: Pick<Visitor, 'subject'>, messageId: string): Promise<void> {
    const { db, bus } = this.deps
    await publishStop(bus, { messageId, subject })
    const userId = userIdOf(subject)
    const running = userId === undefined ? undefined : await findRunningInOwnChannel(db, userId, messageId)
    if (running && running.subject !== subject) await publishStop(bus, running)
  }

  /** Stops an answer of this visitor on this node, without asking the database or the bus. */
  stopHere({ subject }: Pick<Visitor, 'subject'>, messageId: string): void {
    this.deps.runner.stop(messageId, subject)
  }

  /** For answers whose messages were deleted, or that are written for a removed member. */
  async stopAll(running: readonly RunningAnswer[]): Promise<void> {
    for (const answer of running) await publishStop(this.deps.bus, answer)
  }

  /**
   * The visitor's own answer, or one in a channel they are in. A person who has left a channel cannot read its answers,
   * not even those to their own questions. An answer whose message was deleted is found by nobody; its stream log is
   * deleted.
   */
  async find({ subject }: Visitor, messageId: string): Promise<Generation | undefined> {
    const { db, bus } = this.deps
    const row = await findGeneration(db, subject, messageId)
    const actorId = userIdOf(subject)
    if (actorId === undefined) return row
    if (!row) return findInSharedChannel(db, actorId, messageId)
    if (row.channelId === null) return row
    if (!(await isInChannel(db, { actorId, channelId: row.channelId }))) return undefined
    if (await hasMessage(db, row)) return row
    if (row.status !== 'running') await bus.log.remove(messageId)
    return undefined
  }

  /**
   * Before an account is deleted: stops its answers and deletes their rows. Those in other people's channels are marked
   * as interrupted, because their writers cannot store an end without a row.
   */
  async forget(subject: string): Promise<void> {
    const { db, bus, channelEvents, log } = this.deps
    for (const messageId of await runningIdsOf(db, subject)) {
      const ended = await this.endRunning(subject, messageId)
      await publishStop(bus, { messageId, subject })
      if (ended) await publishInterrupted({ bus, log }, ended)
      if (ended) await channelEvents.answerEnded(ended)
    }
    await deleteGenerations(db, subject)
  }

  /** In a transaction of its own, as in the reaper. Undefined when the writer has ended the answer meanwhile. */
  private endRunning(subject: string, messageId: string): Promise<OrphanedAnswer | undefined> {
    const { db, bus, charges, log, now } = this.deps
    return db.transaction(async (tx) => {
      const running = await lockRunning(tx, subject, messageId)
      if (!running) return undefined
      const ended = await endOrphan(tx, { bus, charges, log }, running, new Date(now()))
      await deleteGeneration(tx, running)
      return ended
    })
  }
}

import { freeName } from '@parley/contract/channels'
import { isOver } from '@parley/contract/chat'
import type { Run } from '@parley/contract/conversations'
import { AppError } from '@parley/contract/errors'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { announce } from '../local/changes'
import { type Device, openAnonymousDevice } from '../local/device'
import { isRecordError } from '../local/storage-error'
import { withTabLock } from '../local/tab-lock'
import { exchangesWithSourceIds } from '../sources/source-copies'
import { openDevice } from '../vault/open-device'
import { shownMessage } from './chat-records'
import { copySources, sourceIdsIn } from './copy-sources'
import { adoptDraft } from './drafts'
import { haveEveryRun, renamed } from './fit-exchanges'
import { LocalChannelStore } from './local-channel-store'
import { moveQueue } from './move-queue'
import { asVersions, containsAll } from './same-messages'

const declinedKey = 'adoption-declined'
/** Another tab may write while a chat is copied; then it is copied again. */
const maxTries = 3

/** The number of anonymous chats that can be adopted; 0 when this person has declined. */
export async function countAdoptable(): Promise<number> {
  const { db, userId } = await openDevice()
  if (userId === undefined || (await db.get('meta', declinedKey))) return 0
  return withAnonymous(async ({ store }) => (await store.list()).length)
}

/** Stores that this account's person has declined on this device. */
export async function declineAdoption(): Promise<void> {
  const { db, userId } = await openDevice()
  if (userId !== undefined) await db.put('meta', { id: declinedKey, value: 'true' })
}

/** `left`: chats that stay in the anonymous vault, because a record cannot be read. */
type AdoptionResult = { moved: number; left: number }

/**
 * Moves the anonymous chats of this browser into the account's vault. Each is copied in one transaction, into the
 * channel of the same id where the account has one, read back and compared; only then is the original removed, if
 * nothing was written to it since. After an interruption the next call resumes.
 */
export async function adoptChats(): Promise<AdoptionResult> {
  const account = new LocalChannelStore({ open: openDevice })
  const { userId } = await openDevice()
  const adopted = { moved: 0, left: 0 }
  if (userId === undefined) return adopted
  const adopt = async ({ store, device }: Anonymous): Promise<void> => {
    for (const { id } of await store.list()) {
      if (!(await adoptChat(id, { anonymous: store, device, account, userId }))) {
        adopted.left++
        continue
      }
      await adoptDraft(device, id)
      await moveQueue(device, id)
      adopted.moved++
    }
  }
  try {
    await withTabLock('adoption', () => withAnonymous(adopt))
    return adopted
  } finally {
    announce({ kind: 'channels' })
  }
}

type Move = { anonymous: LocalChannelStore; device: Device; account: LocalChannelStore; userId: string }

/** Answers false where the chat stays, because a record cannot be read here or there. */
async function adoptChat(channelId: string, { anonymous, device, account, userId }: Move): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const whole = await anonymous.readWhole(channelId)
      if (!whole) return true
      const { channel } = whole
      const ids = await sourceIdsIn(await openDevice(), channelId, device)
      const exchanges = exchangesWithSourceIds(whole.exchanges.map(interruptUnfinished), ids)
      const known = await account.readWhole(channelId)
      const messages = await asVersions(newestOf(exchanges), newestOf(known?.exchanges ?? []))
      const versions = exchanges.map((each, index) => {
        const mId = messages[index]?.mId ?? each.exchange.id
        return mId === each.exchange.id ? each : renamed(each, mId)
      })
      const { head } = whole
      if (known) await account.addMessages(channelId, versions, { hasBranches: head !== undefined })
      else {
        const taken = (await account.list())
          .filter(({ assistantId }) => assistantId === channel.assistantId)
          .map(({ channelName }) => channelName)
        const channelName = freeName(channel.channelName, taken)
        await account.importChannel({ ...channel, userId, channelName }, versions, { head })
      }
      const copy = await account.readWhole(channelId)
      if (!copy || !containsAll(messages, newestOf(copy.exchanges)) || !haveEveryRun(versions, copy.exchanges))
        throw new AppError('channel.copy-differs')
      const sources = await copySources(channelId, device, openDevice)
      await anonymous.removeCopied(whole, { hasEveryRun: true, sources })
      return true
    } catch (error) {
      if (error instanceof AppError && isRecordError(error)) return false
      if (!(error instanceof AppError && error.code === 'channel.copy-differs') || tries === maxTries) throw error
    }
  }
}

/** Each exchange with its newest run, whichever the path goes through. */
const newestOf = (exchanges: readonly ExchangeWithRuns[]) => exchanges.map((each) => shownMessage(each))

type Anonymous = { store: LocalChannelStore; device: Device }

async function withAnonymous<T>(action: (anonymous: Anonymous) => Promise<T>): Promise<T> {
  const device = await openAnonymousDevice()
  try {
    return await action({ store: new LocalChannelStore({ open: async () => device }), device })
  } finally {
    device.db.close()
  }
}

/** The account cannot resume an anonymous person's answer: what has arrived is marked as interrupted. */
function interruptUnfinished({ exchange, runs }: ExchangeWithRuns): ExchangeWithRuns {
  const interrupt = (run: Run): Run => {
    if (isOver(run)) return run
    const { seq: _seq, ...rest } = run
    return { ...rest, status: 'interrupted', error: { code: 'chat.interrupted', content: '' } }
  }
  return { exchange, runs: runs.map(interrupt) }
}

import { freeName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { adoptDraft } from '../channels/drafts'
import { LocalChannelStore } from '../channels/local-channel-store'
import { asVersions, hasEach } from '../channels/same-messages'
import { isOfOneRecord } from '../channels/stops-everything'
import { announce } from '../local/changes'
import { type Device, openAnonymousDevice, openDevice } from '../local/device'
import { withTabLock } from '../local/tab-lock'

const declinedKey = 'adoption-declined'
/** Another tab may write while a chat is copied; then it is copied once more. */
const maxTries = 3

/** How many chats of before the sign-in wait to be taken along; 0 when this person has said no. */
export async function countAdoptable(): Promise<number> {
  const { db, userId } = await openDevice()
  if (userId === undefined || (await db.get('meta', declinedKey))) return 0
  return withAnonymous(async ({ store }) => (await store.list()).length)
}

/** Remembered for this account on this device. */
export async function declineAdoption(): Promise<void> {
  const { db, userId } = await openDevice()
  if (userId !== undefined) await db.put('meta', { id: declinedKey, value: 'true' })
}

/** `left`: chats that stay where they are, because part of them cannot be read. */
type Adopted = { moved: number; left: number }

/**
 * Moves the anonymous chats of this browser into the account's vault. Each is copied in one transaction, into the channel of the same id where the account has
 * one, read back, compared exchange by exchange, and only then removed where it was, if nothing was written there since. Cut off at any point and called again,
 * it goes on.
 */
export async function adoptChats(): Promise<Adopted> {
  const account = new LocalChannelStore({ open: openDevice })
  const { userId } = await openDevice()
  const adopted = { moved: 0, left: 0 }
  if (userId === undefined) return adopted
  const adopt = async ({ store, device }: Anonymous): Promise<void> => {
    for (const { id } of await store.list()) {
      if (!(await adoptChat(id, { anonymous: store, account, userId }))) {
        adopted.left++
        continue
      }
      await adoptDraft(device, id)
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

type Move = { anonymous: LocalChannelStore; account: LocalChannelStore; userId: string }

/** Answers false where it stays, since part of it cannot be read here or there. */
async function adoptChat(channelId: string, { anonymous, account, userId }: Move): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const whole = await anonymous.readWhole(channelId)
      if (!whole) return true
      const { channel } = whole
      const messages = whole.messages.map(settled)
      const known = await account.readWhole(channelId)
      const wanted = await asVersions(messages, known?.messages ?? [])
      if (known) await account.addMessages(channelId, wanted)
      else {
        const taken = (await account.list()).filter(({ assistantId }) => assistantId === channel.assistantId).map(({ channelName }) => channelName)
        await account.importChannel({ ...channel, userId, channelName: freeName(channel.channelName, taken) }, wanted)
      }
      if (!hasEach(wanted, (await account.readWhole(channelId))?.messages ?? [])) throw new AppError('channel.copy-differs')
      await anonymous.removeCopied(whole)
      return true
    } catch (error) {
      if (error instanceof AppError && isOfOneRecord(error)) return false
      if (!(error instanceof AppError && error.code === 'channel.copy-differs') || tries === maxTries) throw error
    }
  }
}

type Anonymous = { store: LocalChannelStore; device: Device }

async function withAnonymous<T>(action: (anonymous: Anonymous) => Promise<T>): Promise<T> {
  const device = await openAnonymousDevice()
  try {
    return await action({ store: new LocalChannelStore({ open: async () => device }), device })
  } finally {
    device.db.close()
  }
}

/** An answer that was being written belongs to the anonymous person: the account cannot take it up again, so what had arrived is marked. */
function settled(message: Message): Message {
  if (!['queued', 'sent', 'streaming'].includes(message.status)) return message
  const { run: _run, ...rest } = message
  return { ...rest, status: 'interrupted', error: { code: 'chat.interrupted', content: '' } }
}

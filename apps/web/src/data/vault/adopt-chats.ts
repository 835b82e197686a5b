import { freeName } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { LocalChannelStore } from '../channels/local-channel-store'
import { announce } from '../local/changes'
import { openAnonymousDevice, openDevice } from '../local/device'

const declinedKey = 'adoption-declined'

/** How many chats of before the sign-in wait to be taken along; 0 when this person has said no. */
export async function countAdoptable(): Promise<number> {
  const { db, userId } = await openDevice()
  if (userId === undefined || (await db.get('meta', declinedKey))) return 0
  return withAnonymous(async (store) => (await store.list()).length)
}

/** Remembered for this account on this device. */
export async function declineAdoption(): Promise<void> {
  const { db, userId } = await openDevice()
  if (userId !== undefined) await db.put('meta', { id: declinedKey, value: 'true' })
}

/**
 * Moves the anonymous chats of this browser into the account's vault: each channel is copied in one transaction, read back, and only then removed where it was.
 * Cut off at any point and called again, it goes on. Answers how many were moved.
 */
export async function adoptChats(): Promise<number> {
  const store = new LocalChannelStore({ open: openDevice })
  const { userId } = await openDevice()
  if (userId === undefined) return 0
  return withAnonymous(async (anonymous) => {
    let moved = 0
    for (const channel of await anonymous.list()) {
      const messages = (await allMessages(anonymous, channel.id)).map(settled)
      if (!(await store.get(channel.id))) {
        const taken = (await store.list()).filter(({ assistantId }) => assistantId === channel.assistantId).map(({ channelName }) => channelName)
        await store.importChannel({ ...channel, userId, channelName: freeName(channel.channelName, taken) }, messages)
      }
      const copied = await allMessages(store, channel.id)
      if (copied.length < messages.length) throw new AppError('storage.unreadable')
      if (channel.isLocked) await anonymous.setLocked(channel.id, false)
      await anonymous.remove(channel.id)
      moved++
    }
    announce({ kind: 'channels' })
    return moved
  })
}

async function withAnonymous<T>(action: (store: LocalChannelStore) => Promise<T>): Promise<T> {
  const device = await openAnonymousDevice()
  try {
    return await action(new LocalChannelStore({ open: async () => device }))
  } finally {
    device.db.close()
  }
}

async function allMessages(store: LocalChannelStore, channelId: string): Promise<Message[]> {
  const messages: Message[] = []
  for (let before: string | undefined; ; ) {
    const page = await store.messages(channelId, before === undefined ? { limit: 200 } : { before, limit: 200 })
    messages.unshift(...page.messages)
    if (page.cursor === undefined) return messages
    before = page.cursor
  }
}

/** An answer that was being written belongs to the anonymous person: the account cannot take it up again, so what had arrived is marked. */
function settled(message: Message): Message {
  if (!['queued', 'sent', 'streaming'].includes(message.status)) return message
  const { run: _run, ...rest } = message
  return { ...rest, status: 'interrupted', error: { code: 'chat.interrupted', content: '' } }
}

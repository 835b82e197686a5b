import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { outbox } from '../channels/outbox'
import { queueLock } from '../channels/queued-questions'
import { withTabLock } from '../local/tab-lock'
import { stopRun, whenEnded } from './chat-engine'
import { isLost } from './live-chat'

/**
 * Stops this person's answers in a channel, whose partial texts stay, and then acts; questions that wait are not sent in
 * between. Throws channel.answering where an answer does not end.
 */
export function instead<T>(channelId: string, action: () => Promise<T>): Promise<T> {
  return withTabLock(queueLock(channelId), async () => {
    const running = (await outbox.list()).filter(({ mId, body }) => body.channelId === channelId && !isLost(mId))
    for (const { body } of running) stopRun(body.messageId)
    await inTime(Promise.all(running.map(({ body }) => whenEnded(body.messageId))))
    return action()
  })
}

function inTime(ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('channel.answering')), webLimits.chat.acceptTimeoutMs)
    void ended.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

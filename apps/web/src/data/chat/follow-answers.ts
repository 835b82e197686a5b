import type { ClientFrame, Message, ServerFrame } from '@parley/contract/chat'
import { announceHere } from '../local/changes'
import { scoped } from '../scope/scope'
import { FollowedAnswer } from './followed-answer'

const answers = scoped(() => ({
  followed: new Map<string, FollowedAnswer>(),
  /** Runs whose stream has ended here: a cached message that is still in progress has nothing more to stream. */
  ended: new Set<string>(),
}))

export type Stream = {
  send: (frame: ClientFrame) => boolean
  /** Whether this tab sent the question and receives the answer itself. */
  isOwn: (messageId: string) => boolean
}

/** Follows the messages of a cloud channel that are being streamed to another device or person. */
export function followAnswers(messages: readonly Message[], { send, isOwn }: Stream): void {
  const { followed, ended } = answers()
  for (const message of messages) {
    const { run } = message
    if (
      message.status !== 'streaming' ||
      !run ||
      isOwn(run.messageId) ||
      followed.has(run.messageId) ||
      ended.has(run.messageId)
    )
      continue
    const onEnd = (over: Message): void => {
      const { channelId, mId } = over
      followed.delete(run.messageId)
      ended.add(run.messageId)
      // Shown at once; an empty answer leaves the previous one, which only the server has.
      if (over.chat_response.content !== '') announceHere({ kind: 'message', channelId, mId, message: over })
      announceHere({ kind: 'message', channelId, mId })
      announceHere({ kind: 'channel', channelId, home: 'cloud' })
    }
    const answer = new FollowedAnswer(message, run, { send, onEnd })
    followed.set(run.messageId, answer)
    answer.ask()
  }
}

export const followedAnswers = {
  get isEmpty(): boolean {
    return answers().followed.size === 0
  },
  receive(messageId: string, frame: ServerFrame): void {
    answers().followed.get(messageId)?.receive(frame)
  },
  /** Called after each new connection. */
  resume(): void {
    for (const answer of answers().followed.values()) answer.ask()
  },
  pause(): void {
    for (const answer of answers().followed.values()) answer.pause()
  },
  /** Stops the matching answers; the server checks who may. */
  stop(fits: (message: Message) => boolean): void {
    for (const answer of answers().followed.values()) if (fits(answer.message)) answer.stop()
  },
  /** This tab receives the answer itself. */
  leaveToRun(messageId: string): void {
    answers().ended.add(messageId)
    drop(({ run }) => run?.messageId === messageId)
  },
  /** The channel was deleted or left. */
  leaveChannel(channelId: string): void {
    drop((message) => message.channelId === channelId)
  },
}

function drop(fits: (message: Message) => boolean): void {
  const { followed } = answers()
  for (const [messageId, answer] of followed) {
    if (!fits(answer.message)) continue
    followed.delete(messageId)
    answer.abandon()
  }
}

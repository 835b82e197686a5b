import { isOver, type Message } from './chat'

type Version = Pick<Message, 'run' | 'status' | 'chat_response'>

const isByTime = (id: string): boolean => id[14] === '7'

/**
 * Which of two states of one message was written later: positive for the first, negative for the second, undefined
 * where nothing tells. Later runs have later ids; of one run the state counts in which more of it has arrived.
 */
export function compareVersions(one: Version, other: Version): number | undefined {
  const [a, b] = [one.run, other.run]
  if (!a || !b) return undefined
  const [first, second] = [a.messageId.toLowerCase(), b.messageId.toLowerCase()]
  if (first !== second) return isByTime(first) && isByTime(second) ? (first > second ? 1 : -1) : undefined
  const steps = [
    Number(isOver(one)) - Number(isOver(other)),
    a.seq - b.seq,
    Number(one.status === 'completed') - Number(other.status === 'completed'),
    one.chat_response.content.length - other.chat_response.content.length,
  ]
  return steps.find((step) => step !== 0)
}

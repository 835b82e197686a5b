import type { Message } from '@parley/contract/chat'

/** Whether every message is among the copies, with the same text and the same state, and in the same order. The copies may have others between them. */
export function hasAll(messages: readonly Message[], copies: readonly Message[]): boolean {
  const contents = copies.map(contentOf)
  let at = 0
  for (const message of messages) {
    const found = contents.indexOf(contentOf(message), at)
    if (found === -1) return false
    at = found + 1
  }
  return true
}

/** What nobody may miss in a copy. Figures beside it, such as what it cost, a home may keep in its own way. */
function contentOf({ mId, chat_request, chat_response, datetime, status, error, empty, forwarded, model, assistantId, finishReason }: Message): string {
  const { code, content } = error ?? {}
  return JSON.stringify([
    mId,
    chat_request,
    chat_response.content,
    datetime,
    status,
    code,
    content,
    empty ?? false,
    forwarded ?? false,
    model,
    assistantId,
    finishReason,
  ])
}

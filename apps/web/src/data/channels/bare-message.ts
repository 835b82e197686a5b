import type { Message } from '@parley/contract/chat'

/** What a message says, without its place in a chat: a copy of it stands elsewhere. */
export function bareMessage({
  versions: _versions,
  afterRunId: _after,
  isPinned: _pinned,
  ...message
}: Message): Message {
  return message
}

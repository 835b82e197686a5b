import type { CreateChatMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import type { Secrets } from '../../secrets'
import { findGeneration } from './generation-store'

export function requestHashOf(secrets: Secrets, body: CreateChatMessage): string {
  return secrets.sign('request-hash', requestTextOf(body))
}

/**
 * Whether this person asked the question before, on this node or another one. Throws chat.message-id-taken where they
 * asked another question under its message id.
 */
export async function isRepeated(
  { db, secrets }: { db: Db; secrets: Secrets },
  subject: string,
  body: CreateChatMessage,
): Promise<boolean> {
  const existing = await findGeneration(db, subject, body.messageId)
  if (!existing) return false
  if (!secrets.verify('request-hash', requestTextOf(body), existing.requestHash))
    throw new AppError('chat.message-id-taken')
  return true
}

/** Must be equal for a repeated question. For a cloud channel the server ignores the context that the client sends. */
function requestTextOf({
  question,
  channelId,
  lastMessages,
  earlierMessages,
  pinned,
  summary,
  model,
  storageMode,
  mId,
  isContinuation,
  afterRunId,
  files,
}: CreateChatMessage): string {
  const parts =
    storageMode === 'cloud'
      ? [question, channelId, mId, isContinuation, model]
      : [
          question,
          channelId,
          lastMessages,
          model,
          ...(earlierMessages || pinned ? [earlierMessages, pinned] : []),
          ...(summary === undefined ? [] : [{ summary }]),
        ]
  // Nodes of the version before know no run to follow: where none is named they make the same text.
  const followed = storageMode === 'cloud' && afterRunId !== undefined ? [{ afterRunId }] : []
  // Which files, and not what was chosen of them: a question that is sent again chooses anew.
  const added = files ? [{ files: files.map(({ fileId }) => fileId) }] : []
  return JSON.stringify([...parts.map((part) => part ?? null), storageMode, ...followed, ...added])
}

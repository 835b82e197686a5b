// What a person does with the versions of a chat, beyond asking for another one.
import type { Channel } from '@parley/contract/channels'
import type { Version } from '../channels/channel-store'
import { findHome, homes } from '../channels/homes'
import { forgetRuns } from '../channels/runs-left-behind'
import { dropAnswers } from './send-message'

/** Shows another version of a question, or of its answer. Throws not-found where it was deleted. */
export async function showVersion(channelId: string, version: Version): Promise<void> {
  await (await findHome(channelId)).show(channelId, version)
}

/**
 * Copies a chat up to a version into a chat of its own. Throws channel.answering while the version is written,
 * storage.unreadable where a message before it cannot be read.
 */
export async function branchFrom(channelId: string, version: Version): Promise<Channel> {
  return (await findHome(channelId)).branch(channelId, version)
}

/** How many messages follow a version of a question, on whichever branch below it: they are deleted with it. */
export async function messagesBelow(channelId: string, mId: string): Promise<number> {
  return (await idsBelow(channelId, mId)).length
}

/**
 * Deletes a version of a question with everything that follows it; answers of it that are being written are stopped.
 * Throws channel.locked-clear, channel.not-author where others have asked below it.
 */
export async function deleteVersion(channelId: string, mId: string): Promise<void> {
  const home = await findHome(channelId)
  const gone = [mId, ...(await idsBelow(channelId, mId))]
  // A late answer would otherwise bring its message back.
  for (const id of gone) await dropAnswers(channelId, id)
  await home.removeBranch(channelId, mId)
  if (home === homes.cloud) for (const id of gone) await forgetRuns(channelId, id)
}

async function idsBelow(channelId: string, mId: string): Promise<string[]> {
  const entries = await (await findHome(channelId)).outline(channelId)
  const below: string[] = []
  const open = [mId]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const entry of entries)
      if (entry.afterMId === at) {
        below.push(entry.mId)
        open.push(entry.mId)
      }
  return below
}

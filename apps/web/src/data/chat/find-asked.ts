// What is read for a question before its run is made.

import type { Channel } from '@parley/contract/channels'
import type { ChatSettings } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import type { FilePart } from '@parley/contract/parts'
import { chosenAgentId } from '../agents/chosen-agent'
import { createChannel } from '../channels/channel-actions'
import { returnDraftSources, sourcesOf, takeDraftSources } from '../channels/channel-sources'
import { newChatSettings } from '../channels/chat-settings'
import { filesOf } from '../channels/fresh-sources'
import { findChannel, homeOf } from '../channels/homes'
import { newChatSearchesWeb } from '../channels/web-search'
import { storedSession } from '../session/stored-session'
import type { Ask, Found } from './ask'
import { isBranchable, messageWithContext } from './message-context'
import { readPathBefore } from './path-before'
import type { ShownBranch } from './shown-branch'

type Place = Pick<Extract<Found, { kind: 'channel' }>, 'path' | 'afterRunId'>

/**
 * `shown`: the branch whose end a question follows, where that may have changed since it was asked. Throws AppError.
 */
export async function findAsked(ask: Ask, shown: Promise<ShownBranch | undefined>): Promise<Found> {
  if (ask.kind === 'question' && ask.channelId === undefined) return newChat(ask)
  if (ask.kind === 'question' || ask.kind === 'queued') {
    const channel = await findChannel(ask.channelId ?? '')
    if (!channel) throw new AppError('channel.not-found')
    const place = (await shown) ?? (await endOf(channel))
    return { kind: 'channel', channel, isNew: false, files: ask.files, ...place }
  }
  const found = await messageWithContext(ask.channelId, ask.mId)
  const mId = ask.kind === 'edit' ? undefined : ask.mId
  return {
    kind: 'message',
    ...found,
    isBranchable: ask.kind === 'continue' || (await isBranchable(found.channel, mId)),
  }
}

/** The files that the chat was to begin with are in its draft again. */
export async function takeBack(channel: Channel): Promise<void> {
  await returnDraftSources(channel)
  await homeOf(channel).remove(channel.id)
}

async function newChat({ mode, isTemporary, files }: Extract<Ask, { kind: 'question' }>): Promise<Found> {
  const settings = settingsOfNew()
  const channel = await createChannel({ mode, isTemporary, assistantId: chosenAgentId() ?? null, settings })
  try {
    return {
      kind: 'channel',
      channel,
      isNew: true,
      files: await takeDraftFiles(channel, files),
      ...(await endOf(channel)),
    }
  } catch (error) {
    // Without its question the channel would be an empty row in the list, and the next attempt would create another
    // one.
    await takeBack(channel).catch(() => undefined)
    throw error
  }
}

/** The cloud has the context already. */
const endOf = async (channel: Channel): Promise<Place> => ({
  path: channel.isLocalChannel ? (await readPathBefore(homeOf(channel), channel.id)).exchanges : [],
})

/** A chat that begins with a search goes on with it. */
const settingsOfNew = (): ChatSettings => ({
  ...newChatSettings(),
  ...(storedSession() !== undefined && newChatSearchesWeb() ? { webSearch: true as const } : {}),
})

/** What the chat begins with; in the cloud it has other ids than in the draft. */
async function takeDraftFiles(channel: Channel, files: readonly FilePart[]): Promise<readonly FilePart[]> {
  await takeDraftSources(channel)
  if (channel.isLocalChannel || files.length === 0) return files
  return filesOf(await (await sourcesOf(channel.id)).list(channel.id))
}

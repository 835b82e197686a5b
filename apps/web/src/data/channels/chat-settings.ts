import { type Channel, isGuest } from '@parley/contract/channels'
import {
  type ChatSettings,
  type ChatSettingsChange,
  changedSettings,
  cleanSettingsChange,
  settingsOf,
} from '@parley/contract/chat-settings'
import { create } from 'zustand'
import { resetWithScope, scoped } from '../scope/scope'
import { findHome, homeOf } from './homes'
import { useChannel } from './use-channels'

type State = {
  /** Of the chat that the next question begins. Not on disk: instructions are as private as a chat, which may be temporary. */
  settings: Channel['settings']
}

const useNew = resetWithScope(create<State>(() => ({ settings: undefined })))

/** The settings of the chat that the next question begins. */
export function newChatSettings(): ChatSettings {
  return settingsOf(useNew.getState())
}

/** The chat has begun, and has them itself. */
export const forgetNewChatSettings = (): void => useNew.setState({ settings: undefined })

/** How the answers of a chat are asked for; without an id, of the one that the next question begins. */
export function useChatSettings(channelId: string | undefined): { settings: ChatSettings; canChange: boolean } {
  const channel = useChannel(channelId)
  const settingsOfNew = useNew(({ settings }) => settings)
  if (channelId === undefined) return { settings: settingsOf({ settings: settingsOfNew }), canChange: true }
  return { settings: settingsOf(channel ?? {}), canChange: channel !== undefined && !isGuest(channel) }
}

/** The last change of each channel that is being stored. */
const changesInFlight = scoped(() => new Map<string, Promise<unknown>>())

/** Stores a change, after those before it. Throws AppError; then nothing was changed. */
export async function changeChatSettings(channelId: string | undefined, change: ChatSettingsChange): Promise<void> {
  if (channelId === undefined) {
    const settings = changedSettings(newChatSettings(), cleanSettingsChange(change))
    useNew.setState({ settings })
    return
  }
  const changes = changesInFlight()
  const before = changes.get(channelId)
  const stored = (async () => {
    await before?.catch(() => undefined)
    await (await findHome(channelId)).configure(channelId, change)
  })()
  changes.set(channelId, stored)
  try {
    await stored
  } finally {
    if (changes.get(channelId) === stored) changes.delete(channelId)
  }
}

/**
 * The settings of a channel with every change that was made until now. Those of a cloud channel are read by the server,
 * which then has them.
 */
export async function settingsForQuestion(channel: Channel): Promise<ChatSettings> {
  await changesInFlight()
    .get(channel.id)
    ?.catch(() => undefined)
  return channel.isLocalChannel ? settingsOf((await homeOf(channel).get(channel.id)) ?? channel) : {}
}

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
import { isLockingPage } from '../vault/vault-state'
import { undefinedIfMissing } from './cloud-channel-store'
import { findHome, homeOf, homes } from './homes'
import { useChannel } from './use-channels'

type State = {
  /**
   * Of the chat that the next question begins. Not on disk: instructions are as private as a chat, which may be
   * temporary.
   */
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
export function useChatSettings(channelId: string | undefined): {
  settings: ChatSettings
  canChange: boolean
  channel: Channel | undefined
} {
  const channel = useChannel(channelId)
  const settingsOfNew = useNew(({ settings }) => settings)
  if (channelId === undefined) return { settings: settingsOf({ settings: settingsOfNew }), canChange: true, channel }
  return { settings: settingsOf(channel ?? {}), canChange: channel !== undefined && !isGuest(channel), channel }
}

/** The last change of each channel that is being stored. */
const changesInFlight = scoped(() => new Map<string, Promise<unknown>>())

/** The changes that would be lost with the page. */
const changesAtRisk = scoped(() => new Set<Promise<unknown>>())

/** True while a change is not stored yet, and has not gone out to the cloud either. */
export const wouldLoseSettings = (): boolean => changesAtRisk().size > 0 && !isLockingPage()

/**
 * Stores a change, after those before it. `channel`: what is known of it; a change of one in the cloud is then sent
 * before anything is waited for, and outlives the page. Throws AppError; then nothing was changed.
 */
export async function changeChatSettings(
  channelId: string | undefined,
  change: ChatSettingsChange,
  channel?: Channel,
): Promise<void> {
  if (channelId === undefined) {
    const settings = changedSettings(newChatSettings(), cleanSettingsChange(change))
    useNew.setState({ settings })
    return
  }
  const changes = changesInFlight()
  const before = changes.get(channelId)
  const isSentAtOnce = before === undefined && isOfCloud(channel)
  const stored = (async () => {
    if (before) await before.catch(() => undefined)
    await configure(channelId, change, channel)
  })()
  changes.set(channelId, stored)
  const atRisk = changesAtRisk()
  if (!isSentAtOnce) {
    atRisk.add(stored)
    addEventListener('beforeunload', warnBeforeUnload)
  }
  try {
    await stored
  } finally {
    if (changes.get(channelId) === stored) changes.delete(channelId)
    atRisk.delete(stored)
    if (atRisk.size === 0) removeEventListener('beforeunload', warnBeforeUnload)
  }
}

/** The browser asks whether to leave: a change of this device takes a moment that an ending page does not have. */
function warnBeforeUnload(event: BeforeUnloadEvent): void {
  if (wouldLoseSettings()) event.preventDefault()
}

async function configure(channelId: string, change: ChatSettingsChange, channel: Channel | undefined): Promise<void> {
  // To find its home takes longer than a page that is left may have.
  const sent = isOfCloud(channel) ? await undefinedIfMissing(() => homes.cloud.configure(channelId, change)) : undefined
  // It may be on the device by now.
  if (!sent) await (await findHome(channelId)).configure(channelId, change)
}

const isOfCloud = (channel: Channel | undefined): boolean => channel !== undefined && !channel.isLocalChannel

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

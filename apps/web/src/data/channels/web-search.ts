import { type Channel, isGuest } from '@parley/contract/channels'
import { settingsOf } from '@parley/contract/chat-settings'
import { create } from 'zustand'
import { useConfig } from '../config/use-config'
import { resetWithScope } from '../scope/scope'
import { readChatSettings } from '../session/chat-settings'
import { storedSession, useUser } from '../session/stored-session'
import { useChannel } from './use-channels'

/** What was switched on this page, by the channel's id. It may not be stored yet, and a guest's choice never is. */
export const useSwitched = resetWithScope(create<Readonly<Record<string, boolean | undefined>>>(() => ({})))
/** In the place of a channel's id: the chat that the next question begins. */
export const newChat = 'new'

type Searched = Pick<Channel, 'id' | 'settings' | 'role'>

/** A guest pays for their own questions: the owner's choice is not theirs. */
const storedIn = (channel: Searched | undefined): boolean =>
  channel !== undefined && !isGuest(channel) && settingsOf(channel).webSearch === true
const storedForNew = (): boolean => readChatSettings().enableWebSearch === true

/** Whether a question that is asked now in a channel searches the web. Only a signed-in person's does. */
export const searchesWeb = (channel: Searched): boolean =>
  storedSession() !== undefined && (useSwitched.getState()[channel.id] ?? storedIn(channel))

/** For the settings of the chat that the next question begins. */
export const newChatSearchesWeb = (): boolean => useSwitched.getState()[newChat] ?? storedForNew()

/** Whether the questions of a chat search the web, where this server offers it; without an id, of the next new chat. */
export function useSearchesWeb(channelId: string | undefined): boolean {
  const channel = useChannel(channelId)
  const isSignedIn = useUser() !== undefined
  const isOffered = useConfig()?.webSearch !== undefined
  const switched = useSwitched((all) => all[channelId ?? newChat])
  const stored = channelId === undefined ? storedForNew() : storedIn(channel)
  return isOffered && isSignedIn && (switched ?? stored)
}

import { type Channel, isGuest } from '@parley/contract/channels'
import { storeChatSettings } from '../session/chat-settings'
import { changeChatSettings } from './chat-settings'
import { newChat, useSwitched } from './web-search'

/**
 * Switches the web search of a chat, at once, and stores it: with the chat, or for new ones. Throws AppError where it
 * could not be stored; then it is as before.
 */
export async function switchWebSearch(channel: Channel | undefined, isOn: boolean): Promise<void> {
  const id = channel?.id ?? newChat
  const before = useSwitched.getState()[id]
  useSwitched.setState({ [id]: isOn })
  if (!channel) return storeChatSettings({ enableWebSearch: isOn })
  if (isGuest(channel)) return
  try {
    await changeChatSettings(channel.id, { webSearch: isOn ? true : null })
  } catch (error) {
    if (useSwitched.getState()[id] === isOn) useSwitched.setState({ [id]: before })
    throw error
  }
}

// en-US is complete and decides which keys exist; a key that is not here is a type error.
import channels from './en-US/channels.json'
import chat from './en-US/chat.json'
import common from './en-US/common.json'
import markdown from './en-US/markdown.json'
import members from './en-US/members.json'
import shell from './en-US/shell.json'
import type { laterEnglish } from './later-english'

/** What the first screen may say. */
export const english = { channels, chat, common, markdown, members, shell }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof english & typeof laterEnglish }
    returnNull: false
  }
}

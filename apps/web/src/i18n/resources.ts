// en-US is complete and decides which keys exist; a key that is not here is a type error.
import auth from './en-US/auth.json'
import channels from './en-US/channels.json'
import chat from './en-US/chat.json'
import common from './en-US/common.json'
import markdown from './en-US/markdown.json'
import members from './en-US/members.json'
import settings from './en-US/settings.json'
import shell from './en-US/shell.json'
import transfer from './en-US/transfer.json'
import vault from './en-US/vault.json'

export const english = { auth, channels, chat, common, markdown, members, settings, shell, transfer, vault }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof english }
    returnNull: false
  }
}

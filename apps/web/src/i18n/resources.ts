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

type Said<T> = { [K in keyof T]: T[K] extends string ? string : Said<T[K]> }

/** The texts of a language: one that lacks a text does not compile. It may have more plural forms. */
export type Texts = Said<typeof english & typeof laterEnglish>

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof english & typeof laterEnglish }
    returnNull: false
  }
}

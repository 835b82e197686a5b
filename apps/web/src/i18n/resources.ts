// en-US is complete and decides which keys exist; a key that is not here is a type error.
import channels from './en-US/channels.json'
import chat from './en-US/chat.json'
import common from './en-US/common.json'
import members from './en-US/members.json'
import shell from './en-US/shell.json'
import type { laterEnglish } from './later-english'

/** What the first screen may say. */
export const english = { channels, chat, common, members, shell }

type Said<T> = { [K in keyof T]: T[K] extends string ? string : Said<T[K]> }

/** The texts of a language: one that lacks a text does not compile. It may have more plural forms. */
export type Texts = Said<English>

type English = typeof english & typeof laterEnglish

/** A text with plurals is named without them. */
type Named<Name extends string> = Name extends `${infer Text}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Text
  : Name

type KeyOf<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Before}${Named<K>}` : KeyOf<T[K], `${Before}${K}.`>
}[keyof T & string]

/** Every text by its subject and name, such as `channels.rename`. */
export type TextKey = KeyOf<English>

import type { Summary } from '@parley/contract/conversations'
import { create } from 'zustand'
import { resetWithScope } from '../scope/scope'

/** A summary that is being written, or that failed. `mId`: the exchange that it ends with. */
export type SummaryRun =
  | { phase: 'writing'; mId: string; controller: AbortController }
  /** `unsaved`: it came, and could not be stored. */
  | { phase: 'failed'; mId: string; unsaved: Summary | undefined }

/** What the chat shows after an exchange, instead of what lies before it. */
export type SummaryLine =
  | { kind: 'summary'; summary: Summary }
  /** `unsent`: messages. */
  | { kind: 'undone'; summary: Summary; unsent: number }
  | { kind: 'due' | 'writing' | 'failed'; unsent: number }

type State = {
  /** By channel: the last exchange that this tab has asked since it last asked for a summary. */
  asked: Readonly<Record<string, string>>
  /** By channel. */
  runs: Readonly<Record<string, SummaryRun>>
  /** By channel, and there by exchange. */
  lines: Readonly<Record<string, Readonly<Record<string, SummaryLine>>>>
}

/** The summaries of the chats of this tab, while they are written, and where the chat shows them. */
export const useSummaryState = resetWithScope(create<State>(() => ({ asked: {}, runs: {}, lines: {} })))

/** A question was asked: once it is answered, a summary may be asked for, too. */
export function noteAsked(channelId: string, mId: string): void {
  useSummaryState.setState(({ asked }) => ({ asked: { ...asked, [channelId]: mId } }))
}

/** What stands after an exchange. */
export const useSummaryLine = (channelId: string, mId: string): SummaryLine | undefined =>
  useSummaryState(({ lines }) => lines[channelId]?.[mId])

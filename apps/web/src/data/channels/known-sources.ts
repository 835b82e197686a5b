import type { Source } from '@parley/contract/sources'
import { scoped } from '../scope/scope'

/** What each channel's sources were when they were last listed: a question to the cloud does not wait for them. */
const known = scoped(() => new Map<string, readonly Source[]>())

export function noteSources(channelId: string, sources: readonly Source[]): void {
  known().set(channelId, sources)
}

export const knownSources = (channelId: string): readonly Source[] => known().get(channelId) ?? []

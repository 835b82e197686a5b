import type { StorageMode } from '@parley/contract/channels'
import type { FilePart } from '@parley/contract/parts'

/**
 * The text that a new chat was made: one that begins with sources has texts of its own (ST-151), which came with what
 * shows those.
 */
export function createdText(mode: StorageMode, files: readonly FilePart[]) {
  if (files.length > 0) return mode === 'cloud' ? 'sources.channelCreated' : 'sources.chatCreated'
  return mode === 'cloud' ? 'chat.createdCloud' : 'chat.created'
}

import { storedSession } from '../session/stored-session'

/**
 * Cloud channels whose import has begun: it takes several calls, and an interruption leaves a partial channel there.
 * The next import of the file finishes it, even if it skips existing channels.
 */
const key = 'unfinishedImports'

export function beginImport(channelId: string): void {
  write([...read().filter((entry) => entry !== entryOf(channelId)), entryOf(channelId)])
}

export function endImport(channelId: string): void {
  if (isUnfinished(channelId)) write(read().filter((entry) => entry !== entryOf(channelId)))
}

export const isUnfinished = (channelId: string): boolean => read().includes(entryOf(channelId))

/** The user id is part of the entry, because several people may use one browser. */
const entryOf = (channelId: string): string => `${storedSession()?.user.id ?? ''} ${channelId}`

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function write(entries: readonly string[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(entries))
  } catch {
    // Without localStorage nothing is remembered; a merge or a replacement finishes the import too.
  }
}

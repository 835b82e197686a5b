import { storedSession } from '../session/stored-session'

/**
 * Channels of the cloud whose import was begun: it takes several calls, and whatever cuts it off leaves part of the channel there. The next import of the file
 * ends it, also where it is told to skip what it finds.
 */
const key = 'unfinishedImports'

export function beginImport(channelId: string): void {
  write([...read().filter((entry) => entry !== entryOf(channelId)), entryOf(channelId)])
}

export function endImport(channelId: string): void {
  if (isUnfinished(channelId)) write(read().filter((entry) => entry !== entryOf(channelId)))
}

export const isUnfinished = (channelId: string): boolean => read().includes(entryOf(channelId))

/** Two people may use one browser. */
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
    // Without storage of the site there is nothing to remember; replacing and merging end it as well.
  }
}

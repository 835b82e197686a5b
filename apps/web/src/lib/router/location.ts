// The address of the page: what stands in it, and how the app changes it.

/** Kept with an entry of the browser's history. It is not part of the address, and not shared with it. */
export type EntryState = {
  /** The message of the selected channel that is to be shown: a channel's address is enough to share. */
  mId?: string
  /** Told apart from the last visit of the same message, which would be no navigation. */
  visit?: number
  /** The page was opened from a list, to which Back returns. */
  isFromList?: boolean
}

export type Location = {
  pathname: string
  /** With its `?`; empty without a query. */
  search: string
  /** Without its `#`; empty without a fragment. */
  hash: string
  /** Path, query and fragment. */
  href: string
  state: EntryState
}

/** What the address bar has now. */
export function readLocation(): Location {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash: hash.slice(1), href: pathname + search + hash, state: stateOf(history.state) }
}

/** Another version of the app, or another program, may have written the entry. */
function stateOf(stored: unknown): EntryState {
  if (typeof stored !== 'object' || stored === null) return {}
  const { mId, visit, isFromList } = stored as Record<string, unknown>
  return {
    ...(typeof mId === 'string' ? { mId } : {}),
    ...(typeof visit === 'number' ? { visit } : {}),
    ...(typeof isFromList === 'boolean' ? { isFromList } : {}),
  }
}

/** Writes an entry of the history; the same one again is no second entry. */
export function writeLocation(href: string, { replace = false, state = {} }: NavigateOptions = {}): void {
  const now = readLocation()
  const url = new URL(href, window.location.href)
  const isSame = url.pathname + url.search + url.hash === now.href && state.visit === now.state.visit
  if (replace || isSame) history.replaceState(state, '', url)
  else history.pushState(state, '', url)
}

export type NavigateOptions = { replace?: boolean; state?: EntryState }

/** `/assistant/$assistantId` with the values of its parts. */
export function pathTo(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/\$(\w+)/g, (_part, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** The values of a pattern's parts in a path; undefined where the path is another one. */
export function paramsOf(pattern: string, pathname: string): Record<string, string> | undefined {
  const wanted = partsOf(pattern)
  const given = partsOf(pathname)
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith('$')) params[part.slice(1)] = decoded(value)
    else if (part !== value) return undefined
  }
  return params
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A lone percent sign: what it names does not exist, which its page says.
    return part
  }
}

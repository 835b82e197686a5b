const allowed = new Set(['http:', 'https:', 'mailto:'])

/**
 * The address when a person may follow it: absolute, and of the web or of mail. Relative ones would lead into the app
 * itself.
 */
export function linkUrl(address: string): string | undefined {
  return parsed(address) && address
}

/** The host that a link really leads to; undefined for mail. */
export function hostOf(address: string): string | undefined {
  return parsed(address)?.host || undefined
}

/** True when the words of a link look like an address of another host than the one it leads to. */
export function isMisleading(words: string, address: string): boolean {
  const url = parsed(address)
  if (!url || url.protocol === 'mailto:') return false
  if (url.username || url.password) return true
  const named = /^(?:[a-z][a-z\d+.-]*:)?(?:\/\/)?([^\s/?#]+\.[^\s/?#.]{2,})(?:[/?#]\S*)?$/iu.exec(words.trim())?.[1]
  return named !== undefined && withoutWww(named) !== withoutWww(url.host)
}

const withoutWww = (host: string): string => host.toLowerCase().replace(/^www\./, '')

function parsed(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return allowed.has(url.protocol) ? url : undefined
}

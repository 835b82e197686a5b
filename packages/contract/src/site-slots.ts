/**
 * Where the server writes into the pages that the build made: `{{name}}` is a value, what stands between `{{?name}}`
 * and
 * `{{/name}}` is left out without one, and what stands between `{{!name}}` and `{{/name}}` with one.
 */
export const siteSlots = [
  /** The origin of the public pages. */
  'origin',
  /** What stands before the paths of the app: nothing where it has the same origin. */
  'app',
  /** The same for the public pages. */
  'site',
  'version',
  /** There, if there is any way to reach the operator. */
  'contact',
  'supportEmail',
  'supportChatUrl',
  'communityUrl',
  'twitter',
  'instagram',
  'youtube',
  'discord',
  /** The operator's own terms or privacy statement, as HTML. */
  'ownText',
] as const
export type SiteSlot = (typeof siteSlots)[number]
export type SiteValues = Partial<Record<SiteSlot, string>>

const block = /\{\{([?!])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g

/**
 * The page with its values in it. Values are HTML: whoever gives them has escaped them. What they hold is not filled
 * again.
 */
export function fillSlots(html: string, values: SiteValues): string {
  const filled = new Map<string, string | undefined>(Object.entries(values))
  const kept = (part: string): string =>
    part.replace(block, (_whole, kind: string, name: string, inner: string) =>
      (filled.get(name) !== undefined) === (kind === '?') ? kept(inner) : '',
    )
  return kept(html).replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => filled.get(name) ?? '')
}

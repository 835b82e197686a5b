// The part of the app's style sheet that its first screen needs, so that it is painted without waiting for the sheet.

/** What the interface's own words are written in, and so the first screen (`src/ui/fonts.css`). */
export const firstFonts = /(?:bricolage-grotesque-core-600-700|instrument-sans-core)-.*\.woff2$/

/** What `public/theme-init.js`, `public/first-screen.js` and a first visit set before the app is there. */
const changedAttributes = new Set(['data-theme', 'data-compact', 'data-awaited', 'dir', 'hidden', 'lang'])

/**
 * Of a minified sheet the rules that some element of the page could match: of selectors, those whose classes, elements
 * and attributes the page has or gets before the app is there. States may change.
 */
export function firstStyles(sheet: string, page: string): string {
  const classes = new Set([...page.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const elements = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name]) => name))
  const attributes = new Set(
    [...page.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)].flatMap(([, name = '', value = '']) => [
      name,
      `${name}=${value}`,
    ]),
  )
  const hasAttributes = (selector: string): boolean =>
    [...selector.matchAll(/\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?/g)].every(
      ([, name = '', value]) =>
        changedAttributes.has(name) || attributes.has(value === undefined ? name : `${name}=${value}`),
    )
  const isOnPage = (selector: string): boolean => {
    const [, others] = /:has\(([^()]*)\)/.exec(selector) ?? []
    if (others !== undefined && !listOf(others).some(isOnPage)) return false
    const plain = withoutArguments(selector)
    const isThere = (pattern: RegExp, known: Set<string | undefined>): boolean =>
      [...plain.matchAll(pattern)].every(([, name]) => known.has(name))
    return (
      isThere(/\.([\w-]+)/g, classes) &&
      isThere(/(?:^|[\s>+~])([a-z][a-z0-9]*)/g, elements) &&
      hasAttributes(selector.replace(/\([^()]*\)/g, ''))
    )
  }
  const ofPage = (rules: string): string =>
    topLevel(rules)
      .map(({ head, body }) => {
        if (head === '@font-face') return isFirstFont(body) ? `${head}{${body}}` : ''
        if (/^@(?:media|supports)/.test(head)) {
          const inner = ofPage(body)
          return inner && `${head}{${inner}}`
        }
        // Layers and animations: what moves is drawn by the app.
        if (head.startsWith('@')) return ''
        const selectors = listOf(head).filter(isOnPage)
        return selectors.length > 0 ? `${selectors.join(',')}{${body}}` : ''
      })
      .join('')
  return withoutUnused(withoutEmptyPseudoElements(ofPage(sheet)), page)
}

/**
 * `*, ::before, ::after` has a browser work out the style of two more elements for each one of the page: in vain where
 * none of them has a content. Only at the top level and in media queries.
 */
function withoutEmptyPseudoElements(rules: string): string {
  if (/:(?:before|after)[^{}]*\{[^{}]*content:/.test(rules)) return rules
  return rules
    .replace(/(?<=[{},])::?(?:before|after)(?:,|(?=\{))/g, '')
    .replace(/,(?=\{)/g, '')
    .replace(/(?<=[{}])\{[^{}]*\}/g, '')
}

/** Without the custom properties that nothing of the page uses: most of the tokens are for what the app draws. */
function withoutUnused(rules: string, page: string): string {
  const used = new Set([...`${rules}${page}`.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name))
  const left = rules.replace(/(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name: string) =>
    used.has(name) ? declaration : '',
  )
  // What only the dropped ones have used.
  return left === rules ? rules : withoutUnused(left, page)
}

const isFirstFont = (face: string): boolean =>
  [...face.matchAll(/url\(["']?([^"')]+)/g)].some(([, address = '']) => firstFonts.test(address))

type Rule = { head: string; body: string }

function topLevel(rules: string): Rule[] {
  const found: Rule[] = []
  let depth = 0
  let start = 0
  let brace = 0
  for (const [token] of rules.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}]|[^{}"']+/g)) {
    brace += token.length
    if (token === '{') {
      if (depth === 0) found.push({ head: rules.slice(start, brace - 1).trim(), body: '' })
      if (depth === 0) start = brace
      depth++
    } else if (token === '}') {
      depth--
      const rule = found.at(-1)
      if (depth === 0 && rule) rule.body = rules.slice(start, brace - 1)
      if (depth === 0) start = brace
    }
  }
  if (depth !== 0) throw new Error('the style sheet is not complete')
  return found
}

/** Splits at the commas outside of parentheses. */
const listOf = (selectors: string): string[] => selectors.match(/(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[^,()])+/g) ?? []

/** Without what stands in `:is()`, `:not()`, `:has()` and attributes. */
function withoutArguments(selector: string): string {
  let plain = selector.replace(/\[[^\]]*\]/g, '')
  while (/\([^()]*\)/.test(plain)) plain = plain.replace(/\([^()]*\)/g, '')
  return plain
}

// The part of the app's style sheet that its first screen needs, so that it is painted without waiting for the sheet.

/** What the first screen is written in. */
export const firstFonts = /(?:bricolage-grotesque-latin-600-700|instrument-sans-latin-wght-normal)-.*\.woff2$/

/**
 * Of a minified sheet the rules that some element of the page could match: of selectors, those whose classes and
 * elements the page has. Attributes and states may change before the app is there.
 */
export function firstStyles(sheet: string, page: string): string {
  const classes = new Set([...page.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const elements = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name]) => name))
  const isOnPage = (selector: string): boolean => {
    const plain = withoutArguments(selector)
    const isThere = (pattern: RegExp, known: Set<string | undefined>): boolean =>
      [...plain.matchAll(pattern)].every(([, name]) => known.has(name))
    return isThere(/\.([\w-]+)/g, classes) && isThere(/(?:^|[\s>+~])([a-z][a-z0-9]*)/g, elements)
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
  return withoutUnused(ofPage(sheet), page)
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

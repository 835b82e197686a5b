// Reads the app's own source: what a person reads must come from the files of their language.
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import siteEnglish from '../site/texts/en-US.json'
import { withTexts } from './interface-language'
import { laterEnglish } from './later-english'
import { english } from './resources'

const shown = import.meta.glob<string>(
  [
    '../**/*.{ts,tsx}',
    '!../**/*.test.*',
    '!../testing/**',
    '!../**/*-suite.ts',
    '!../screens/dev-ui-screen.tsx',
    '!../screens/dev-ui/**',
  ],
  { query: '?raw', import: 'default', eager: true },
)
const sources = Object.entries(shown).map(([name, text]) =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true),
)

/** Names: they are the same in every language. What else stands in the source itself is here with its reason. */
const names = new Set([
  'MetaMask',
  'Phantom',
  'Sui',
  'AIZ',
  'Twitter',
  'Instagram',
  'YouTube',
  'Discord',
  'English',
  'Português',
  'Español',
])

/** What a person sees or hears; `meta` has values for machines. */
const spokenProps =
  /^(?:aria-(?:label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|text|hint|heading|caption|description|confirm|message|summary)$/
const spokenCalls = /^(?:toast(?:\.\w+)?|confirmToast|explain|announce|alert|confirm)$/
/** A word that begins one; the endings of ids begin with a hyphen. */
const isWords = (text: string): boolean => /(?:^|[\s("“¿¡])\p{L}{2}/u.test(text)

type Literal = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail | ts.JsxText

/**
 * The literals that an expression may come out as: not those it is compared with, nor those it looks something up by.
 */
function outcomes(node: ts.Node): Literal[] {
  if (ts.isStringLiteralLike(node)) return [node]
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.flatMap(({ expression, literal }) => [...outcomes(expression), literal])]
  if (ts.isConditionalExpression(node)) return [...outcomes(node.whenTrue), ...outcomes(node.whenFalse)]
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return outcomes(node.expression)
  if (!ts.isBinaryExpression(node)) return []
  const { PlusToken, BarBarToken, QuestionQuestionToken, AmpersandAmpersandToken } = ts.SyntaxKind
  const isSum = [PlusToken, BarBarToken, QuestionQuestionToken].some((kind) => kind === node.operatorToken.kind)
  if (isSum) return [...outcomes(node.left), ...outcomes(node.right)]
  return node.operatorToken.kind === AmpersandAmpersandToken ? outcomes(node.right) : []
}

/** What this node shows, if it shows anything. */
function spoken(node: ts.Node): Literal[] {
  if (ts.isJsxText(node)) return [node]
  if (ts.isJsxAttribute(node) && node.initializer && spokenProps.test(node.name.getText())) {
    return outcomes(
      ts.isJsxExpression(node.initializer) ? (node.initializer.expression ?? node.name) : node.initializer,
    )
  }
  if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) return outcomes(node.expression)
  if (ts.isCallExpression(node) && spokenCalls.test(node.expression.getText())) return node.arguments.flatMap(outcomes)
  if (ts.isPropertyAssignment(node) && spokenProps.test(node.name.getText().replaceAll("'", '')))
    return outcomes(node.initializer)
  return []
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

const placeOf = (node: ts.Node): string => {
  const file = node.getSourceFile()
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

type Texts = { [key: string]: string | Texts }
const keysOf = (texts: Texts, path = ''): string[] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [path + key] : keysOf(text, `${path}${key}.`),
  )
const keys = [...new Set(keysOf(withTexts(english, laterEnglish)).map((key) => key.replace(/_(?:one|other)$/, '')))]

const isTranslation = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && /^(?:i18n(?:ext)?\.)?t$/.test(node.expression.getText())
const isGlued = (node: ts.Node): node is ts.TemplateExpression | ts.BinaryExpression =>
  ts.isTemplateExpression(node) || (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)

describe('the source', () => {
  it('shows no text of its own: everything that is read or heard is a key [CH-007]', () => {
    expect(sources.length).toBeGreaterThan(300)
    const known = new Set(keys)
    const found: string[] = []
    for (const source of sources) {
      if (source.fileName.endsWith('/last-resort-texts.ts')) continue
      walk(source, (node) => {
        const words = spoken(node).filter(({ text }) => isWords(text) && !names.has(text.trim()) && !known.has(text))
        found.push(...words.map((literal) => `${placeOf(literal)} ${literal.text.trim()}`))
      })
    }
    expect(found).toEqual([])
  })

  it('glues no sentence from pieces: between two texts stands a dot or nothing', () => {
    const found: string[] = []
    for (const source of sources) {
      walk(source, (node) => {
        if (!isGlued(node)) return
        let hasText = false
        walk(node, (part) => {
          hasText ||= isTranslation(part)
        })
        if (hasText && outcomes(node).some(({ text }) => text.replace('·', '').trim() !== '' || text === ' '))
          found.push(`${placeOf(node)} ${node.getText()}`)
      })
    }
    expect(found).toEqual([])
  })

  it('says every text of the app at some place: none is left over', () => {
    const literals = new Set<string>()
    const patterns: RegExp[] = []
    for (const source of sources) {
      walk(source, (node) => {
        if (ts.isStringLiteralLike(node)) literals.add(node.text)
        if (!ts.isTemplateExpression(node) || !/^[a-zA-Z]+\./.test(node.head.text)) return
        const ends = node.templateSpans.map(({ literal }) => literal.text.replaceAll('.', '\\.'))
        patterns.push(
          new RegExp(`^${node.head.text.replaceAll('.', '\\.')}${ends.map((end) => `[\\w-]+${end}`).join('')}$`),
        )
      })
    }
    expect(keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })

  it('says every text of the public pages', () => {
    const said = new Set<string>()
    for (const source of sources.filter(({ fileName }) => fileName.startsWith('../site/'))) {
      walk(source, (node) => {
        if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) said.add(node.text)
      })
    }
    const leaves = keysOf(JSON.parse(JSON.stringify(siteEnglish)) as Texts).filter((key) => !/\.\d+(?:\.|$)/.test(key))
    expect(leaves.filter((key) => !said.has(key.split('.').at(-1) ?? ''))).toEqual([])
  })
})

// Colours code away from the page's thread: a grammar's first lines take longer than a frame.
import { createHighlighterCore, type GrammarState, type ThemeRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { isLoadable, loadLanguage } from './highlight-languages'
import type { HighlightReply, HighlightRequest, LineTokens } from './highlight-protocol'

const kind = (scope: string[], index: number) => ({ scope, settings: { foreground: `#00000${index}` } })

/** Not colours but numbers of the kinds in highlight-protocol.ts; the style sheet knows the colours of both themes. */
const theme: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000' } },
    kind(
      [
        'keyword',
        'storage',
        'storage.type',
        'variable.language',
        'markup.heading',
        'entity.name.tag',
        'support.type.property-name.css',
        'keyword.control',
      ],
      1,
    ),
    kind(['string', 'string.regexp', 'markup.inline.raw', 'constant.other.symbol', 'punctuation.definition.string'], 2),
    kind(['comment', 'punctuation.definition.comment', 'meta.diff.header', 'markup.quote'], 3),
    kind(['constant.numeric', 'constant.language', 'constant.other', 'constant.character.escape'], 4),
    kind(
      ['entity.name.function', 'support.function', 'entity.other.attribute-name', 'support.type.property-name.json'],
      5,
    ),
    kind(['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.other.inherited-class'], 6),
    kind(['markup.inserted'], 7),
    kind(['markup.deleted'], 8),
    kind(['keyword.operator', 'punctuation', 'storage.type.function.arrow'], 0),
    kind(
      [
        'keyword.operator.new',
        'keyword.operator.expression',
        'keyword.operator.logical.python',
        'keyword.operator.wordlike',
      ],
      1,
    ),
  ],
}

const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** How far each block has been read, so that the next lines go on from there. */
const states = new Map<number, GrammarState | undefined>()

let queue = Promise.resolve()

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  // In order, because the lines of a block build on those before; a language that does not load leaves its blocks
  // plain.
  queue = queue.then(() => answer(data)).catch(() => undefined)
})

async function answer(request: HighlightRequest): Promise<void> {
  if ('isClosed' in request) {
    states.delete(request.id)
    return
  }
  const { id, language, text } = request
  if (!isLoadable(language)) return
  const { codeToTokensBase, getLastGrammarState, loadLanguage: load } = await highlighter
  await load(loadLanguage(language))
  postMessage({ id, isBegun: true } satisfies HighlightReply)
  const state = states.get(id)
  const lines = codeToTokensBase(text, {
    lang: language,
    theme: 'kinds',
    tokenizeMaxLineLength: 1_000,
    // A line that is cut off leaves it and all that follow with wrong colours. The page replaces a worker that is
    // caught in a pattern.
    tokenizeTimeLimit: 0,
    ...(state && { grammarState: state }),
  })
  states.set(id, getLastGrammarState(lines))
  postMessage({ id, lines: lines.map(packed) } satisfies HighlightReply)
}

function packed(tokens: readonly { content: string; color?: string }[]): LineTokens {
  const result: number[] = []
  for (const { content, color } of tokens) {
    const index = Number(color?.at(-1) ?? 0) || 0
    if (result.length > 0 && result.at(-1) === index) result[result.length - 2] = (result.at(-2) ?? 0) + content.length
    else result.push(content.length, index)
  }
  return result
}

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { segmentLines } from './code-segments'
import type { HighlightLanguage } from './highlight-languages'
import type { LineTokens } from './highlight-protocol'
import { HighlightSession } from './highlight-session'
import { MarkdownDocument } from './markdown-document'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of other languages
/** A little of each language, with what goes over lines: the tokens of a line depend on the lines before it. */
const samples = {
  bash: 'for f in *.txt; do # each\n  echo "a ${f}\n  b" | wc -l\ndone\n',
  c: '/* two\n   lines */\nint main(void) {\n  return 0; // end\n}\n',
  cpp: 'auto s = R"(raw\nstring)";\nstd::vector<int> v{1, 2};\n',
  csharp: 'var s = @"two\nlines";\npublic class A { int B => 1; }\n',
  css: '/* note\n   more */\na:hover {\n  color: #fff;\n}\n',
  dart: "var s = '''two\nlines $x''';\nvoid main() {}\n",
  diff: '@@ -1 +1 @@\n-old\n+new\n same\n',
  docker: 'FROM node:24 AS build\nRUN npm ci \\\n  && npm test # all\n',
  go: 'var s = `raw\nstring`\nfunc main() { /* a\n b */ }\n',
  graphql: '"""\nA note\n"""\ntype A { b: [Int!]! }\n',
  html: '<!-- two\nlines -->\n<p class="a"\n   id="b">text</p>\n<script>let a = `x\ny`</script>\n',
  ini: '; note\n[part]\nname = "value"\n',
  java: 'String s = """\n  text\n  """;\n/** doc\n */\nclass A {}\n',
  javascript: 'const s = `a ${b +\n1} c`\n/* x\n*/ let d = /re/g\n',
  json: '{\n  "a": [1, true],\n  "b": "c"\n}\n',
  jsx: 'const a = (\n  <b c={`x\n${d}`}>text</b>\n)\n',
  kotlin: 'val s = """two\nlines $x"""\nfun main() = Unit // end\n',
  lua: '--[[ two\nlines ]]\nlocal s = [[raw\ntext]]\n',
  markdown: '# Title\n\n```js\nlet a = `x\ny`\n```\n\n- **b**\n',
  php: '<?php\n$s = <<<EOT\ntext $a\nEOT;\n/* x\n*/ echo 1;\n',
  powershell: '<# two\nlines #>\n$s = @"\ntext $a\n"@\n',
  python: 'def f(x):  # note\n    """doc\n    more"""\n    return f"{x!r}"\n',
  r: 'f <- function(x) { # note\n  "two\nlines"\n}\n',
  ruby: 's = <<~TEXT\n  a #{b}\nTEXT\n=begin\nnote\n=end\nputs s\n',
  rust: 'let s = r#"raw\nstring"#;\n/* a\n /* b */ */ fn main() {}\n',
  scala: 'val s = """two\nlines"""\n/* x\n*/ object A\n',
  scss: '$a: 1px; // note\n.b {\n  &:hover { /* x\n*/ top: $a; }\n}\n',
  solidity: '/* two\nlines */\ncontract A {\n  uint256 public b = 1;\n}\n',
  sql: "/* two\nlines */\nselect 'a\nb', count(*) from t -- end\n",
  swift: 'let s = """\ntext \\(a)\n"""\n/* x\n*/ func b() {}\n',
  toml: '# note\n[a]\nb = """two\nlines"""\nc = 1\n',
  tsx: 'const a: B<C> = (\n  <d e={`x\n${f}`} />\n)\n',
  typescript: 'const s: string = `a ${b satisfies C}\nd`\n/* x\n*/ type E = `f${G}`\n',
  xml: '<!-- two\nlines -->\n<a b="c"><![CDATA[x\ny]]></a>\n',
  yaml: 'a: |\n  two\n  lines\nb: "x\n  y" # note\n',
} satisfies Record<HighlightLanguage, string>
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of other languages

function tokensOf(session: HighlightSession): LineTokens[] {
  const found: LineTokens[] = []
  for (let segment = 0; ; segment += 1) {
    const lines = session.tokens(segment) ?? []
    found.push(...lines)
    if (lines.length < segmentLines) return found
  }
}

const lengthOf = (tokens: LineTokens): number =>
  tokens.reduce((sum, value, at) => (at % 2 === 0 ? sum + value : sum), 0)
const linesOf = (code: string): string[] => (code.endsWith('\n') ? code.slice(0, -1) : code).split('\n')

function open(label: string): HighlightSession {
  const session = HighlightSession.open(label)
  if (!session) throw new Error(`${label} has no grammar`)
  return session
}

/** The tokens of `code` once the worker has answered for each of its lines. */
async function finalTokens(session: HighlightSession, code: string): Promise<LineTokens[]> {
  session.feed(code, true)
  await vi.waitFor(() => expect(tokensOf(session)).toHaveLength(linesOf(code).length), { timeout: 30_000, interval: 5 })
  return tokensOf(session)
}

/** Reads an answer that arrives in pieces, as the page does, and feeds its code to the session. */
async function stream(
  session: HighlightSession,
  answer: string,
  pieces: readonly number[],
  code: string,
): Promise<void> {
  const document = new MarkdownDocument()
  const lines = linesOf(code)
  for (let end = 0, step = 0; end < answer.length; step += 1) {
    end += pieces[step % pieces.length] ?? 1
    const block = document.read(answer.slice(0, end)).flat().at(-1)
    if (block?.kind === 'code') session.feed(block.code, block.isClosed)
    // What the worker has answered by now is heard before the next piece.
    await new Promise((resolve) => setTimeout(resolve))
    for (const [index, tokens] of tokensOf(session).entries()) expect(lengthOf(tokens)).toBe(lines[index]?.length)
  }
}

describe.each(Object.entries(samples))('Code in %s that streams in', (language, code) => {
  it('has the tokens of the whole text at its end, and at no moment a line longer than what stands in it', async () => {
    const reference = open(language)
    const expected = await finalTokens(reference, code)
    reference.close()
    expect(expected.map(lengthOf)).toEqual(linesOf(code).map((line) => line.length))
    const pieces = fc.array(fc.integer({ min: 3, max: 11 }), { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(pieces, async (lengths) => {
      const session = open(language)
      await stream(session, `\`\`\`\`${language}\n${code}\`\`\`\`\n`, lengths, code)
      expect(await finalTokens(session, code)).toEqual(expected)
      session.close()
    })
    await fc.assert(property, { numRuns: 3 })
  })
})

describe('HighlightSession', () => {
  it('has the tokens of the whole text where the end of each frame looks like the end of a line, as in code inside a list', async () => {
    const code = samples.typescript
    const expected = await finalTokens(open('ts'), code)
    const session = open('ts')
    for (let end = 1; end < code.length; end += 5) session.feed(`${code.slice(0, end).replace(/\n$/, '')}\n`, false)
    expect(await finalTokens(session, code)).toEqual(expected)
  })

  it('starts over when an answer that had ended goes on in the middle of a line, and when it is another one', async () => {
    const expected = await finalTokens(open('ts'), 'const a = `b`\n')
    const session = open('ts')
    await finalTokens(session, 'const a = `')
    session.feed('const a = `b`', false)
    expect(await finalTokens(session, 'const a = `b`\n')).toEqual(expected)
    await finalTokens(session, '/* another */\n')
    expect(await finalTokens(session, 'const a = `b`\n')).toEqual(expected)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from './blocks'
import { MarkdownDocument } from './markdown-document'

const blocksOf = (text: string): Block[] => new MarkdownDocument().read(text).flat()
const kinds = (text: string): string[] => blocksOf(text).map((block) => block.kind)
const prose = (text: string): string[] =>
  blocksOf(text).map((block) => (block.kind === 'prose' ? block.text : block.kind))

describe('MarkdownDocument', () => {
  it('cuts an answer where Markdown is sure to: paragraphs, headings, lists, quotes, code, tables', () => {
    expect(prose('a\nb\n\nc\n# d\ne\n> f\n>\n> g\n\n- h\n\n  i\n- j\n\nk\n---\n***\n    l')).toEqual([
      'a\nb',
      'c',
      '# d',
      'e',
      '> f\n>\n> g',
      '- h\n\n  i\n- j',
      'k\n---',
      '***',
      '    l',
    ])
    expect(kinds('a\n```ts\nb\n\nc\n```\n| x | y |\n|---|---|\n| 1 | 2 |\n\n$$\nz\n$$\n\\[ z \\]')).toEqual([
      'prose',
      'code',
      'table',
      'math',
      'math',
    ])
  })

  it('keeps code inside a list in the list, and the blank lines of the code', () => {
    expect(kinds('1. a\n   ```\n   b\n\n   c\n   ```\n2. d')).toEqual(['prose'])
  })

  it('ends a code block only at a fence of its own kind and length', () => {
    expect(blocksOf('````md\n```\n~~~~\n````\nafter')).toMatchObject([
      { kind: 'code', language: 'md', code: '```\n~~~~\n', isClosed: true },
      { text: 'after' },
    ])
  })

  it('shows an unclosed fence as code to its end', () => {
    expect(blocksOf('```js\nlet a')).toMatchObject([{ kind: 'code', code: 'let a', isClosed: false }])
  })

  it('brings the definition of a reference to the block that uses it, in either order', () => {
    const [use] = blocksOf('see [Docs]\n\nmore\n\n[docs]: https://example.org "The title"\n')
    expect(use).toMatchObject({ text: 'see [Docs]', definitions: '[docs]: <https://example.org> "The title"' })
    expect(blocksOf('[a]: https://example.org\n\nsee [a]').at(-1)).toMatchObject({
      definitions: '[a]: <https://example.org>',
    })
  })

  it('keeps finished blocks and groups as they are while the answer grows', () => {
    const document = new MarkdownDocument()
    const long = Array.from({ length: 100 }, (_, index) => `Paragraph ${index}.\n\n`).join('')
    const before = document.read(long)
    const after = document.read(`${long}And more.`)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
    expect(after.flat()).toHaveLength(101)
  })

  it('starts afresh when the text is not a continuation', () => {
    const document = new MarkdownDocument()
    document.read('one\n\ntwo\n\nthree')
    expect(document.read('other\n\ntwo').flat()).toEqual(blocksOf('other\n\ntwo'))
  })

  it('cuts what is too long: a line of 1 MB, a list of 10,000 items, nested code of 5,000 lines', () => {
    const sizes = (text: string) => blocksOf(text).map((block) => (block.kind === 'prose' ? block.text.length : 0))
    expect(Math.max(...sizes('a'.repeat(1_000_000)))).toBeLessThanOrEqual(4_000)
    const list = blocksOf(Array.from({ length: 10_000 }, (_, index) => `${index + 1}. item`).join('\n'))
    expect(Math.max(...list.map((block) => (block.kind === 'prose' ? block.text.length : 0)))).toBeLessThanOrEqual(
      4_000,
    )
    expect(list.at(-1)).toMatchObject({ isContinuation: true })
    const nested = blocksOf(`- a\n  \`\`\`ts\n${'  const a = 1\n'.repeat(5_000)}  \`\`\`\n- b`)
    expect(nested.map((block) => block.kind)).toEqual(['prose', 'code', 'prose'])
  })

  it('goes on counting in a numbered list that was cut, also where every item says 1', () => {
    const list = blocksOf('1. a long item that is repeated\n'.repeat(200))
    const [first, second] = list
    const items = first?.kind === 'prose' ? first.text.split('\n').length : 0
    expect(second).toMatchObject({ listStart: items + 1 })
  })

  it('splits no character in two', () => {
    const text = '😀'.repeat(5_000)
    expect(prose(`x${text}`).join('')).toBe(`x${text}`)
    for (const piece of prose(`x${text}`)) expect(piece.isWellFormed()).toBe(true)
  })

  it('gives the same blocks for every way in which an answer can arrive', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...fragments), { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
        (parts, steps) => {
          const text = parts.join('')
          const document = new MarkdownDocument()
          for (let end = 0, step = 0; end < text.length; step += 1) {
            end += steps[step % steps.length] ?? 1
            document.read(text.slice(0, end))
          }
          expect(document.read(text)).toEqual(new MarkdownDocument().read(text))
        },
      ),
      { numRuns: 250 },
    )
  })

  it('loses nothing: every word of an answer is in a block', () => {
    fc.assert(
      // Without fences: what stands behind their first word is not shown.
      fc.property(
        fc.array(fc.constantFrom(...fragments.filter((part) => !/```|~~~/.test(part))), { maxLength: 40 }),
        (parts) => {
          const text = parts.map((part, index) => part.replace('word', `word${index}x`)).join('')
          const shown = blocksOf(text)
            .map((block) => JSON.stringify(block))
            .join('\n')
          for (const word of text.match(/word\d+x/g) ?? []) expect(shown).toContain(word)
        },
      ),
      { numRuns: 500 },
    )
  })
})

const fragments = [
  'word ',
  'word',
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '# ',
  '## word\n',
  '- ',
  '- word\n',
  '  - word\n',
  '1. word\n',
  '   word\n',
  '    word\n',
  '> word\n',
  '> ',
  '```',
  '```ts\n',
  '```\n',
  '~~~\n',
  '| a | b |\n',
  '|---|---|\n',
  '| word | b |\n',
  '---\n',
  '***\n',
  '===\n',
  '$$',
  '$$\n',
  '$$ word $$\n',
  '\\[\n',
  '\\]\n',
  '$x$',
  '**',
  '*',
  '_',
  '`',
  '[word]',
  '[a]: https://example.org\n',
  '[a]',
  '[^1]',
  '[^1]: word\n',
  '<div>\n',
  '<script>\n',
  '</script>\n',
  '<!--',
  '-->\n',
  '![a](data:image/png;base64,AAAA)\n',
  '![word](https://example.org/a.png)',
  '\t',
  '    ',
  '😀',
  'العربية ',
  '漢字',
  'x'.repeat(4_500),
  '`'.repeat(5),
  '&amp;',
  '\\',
]

// @vitest-environment node
import { tests as examples } from 'commonmark-spec'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import { describe, expect, it } from 'vitest'
import type { Block } from './blocks'
import { MarkdownDocument } from './markdown-document'
import { rehypePlugins, remarkPlugins } from './pipeline'
import { prepareMarkdown } from './prepare-markdown'

/** As the parser draws a text, with every address as it is. */
function drawn(text: string, definitions = ''): string {
  const source = `${definitions}\n\n${prepareMarkdown(text)}`
  return renderToStaticMarkup(
    <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} urlTransform={(url) => url}>
      {source}
    </ReactMarkdown>,
  )
}

function drawnBlock(block: Block): string {
  switch (block.kind) {
    case 'prose':
      return drawn(block.text, block.definitions)
    case 'code':
      return renderToStaticMarkup(
        <pre>
          <code>{block.code}</code>
        </pre>,
      )
    case 'table':
      return drawn([block.head, ...block.segments].join('\n'), block.definitions)
    case 'math':
      return drawn(block.source)
    case 'picture':
      return drawn(`![${block.alt}](${block.url})`)
  }
}

/** Line feeds between elements are not seen; the name of a language is a label of ours. */
const normalised = (html: string): string =>
  html
    .replaceAll(/ class="language-[^"]*"/g, '')
    .replaceAll(/\s*\n\s*(?=<)|(?<=>)\s*\n\s*/g, '')
    .trim()

const byBlocks = (text: string): string => normalised(new MarkdownDocument().read(text).flat().map(drawnBlock).join(''))
const whole = (text: string): string => normalised(drawn(text))
const expectSame = (text: string): void => expect(byBlocks(text)).toBe(whole(text))

const sections = [...new Set(examples.map(({ section }) => section))]
/** Example 14 has `\\[` at the start of a line, which begins a formula here. */
const ours = [14]

describe('An answer that is read block by block', () => {
  it.each(sections)('is shown as the parser shows the whole text in the examples of CommonMark: %s', (section) => {
    const ofSection = examples.filter((example) => example.section === section && !ours.includes(example.number))
    for (const { number, markdown } of ofSection) {
      const text = markdown.replaceAll('→', '\t')
      expect(byBlocks(text), `example ${number}: ${text}`).toBe(whole(text))
    }
  })

  it.each([
    ['goes over lines', 'See [a b].\n\n[a\nb]:\nhttps://example.org/a\n"A\ntitle"\n'],
    ['has its title on the next line', '[a]: https://example.org/a\n  (title)\n\n[a]'],
    ['has a title that is none', '[a]: https://example.org/a\n"title" and text\n\n[a]'],
    ['stands in the middle of a paragraph, where it is text', 'Text\n[a]: https://example.org/a\n\n[a]'],
    [
      'stands in code, where it is text',
      '[a]\n\n    [a]: https://example.org/a\n\n- ```\n  [a]: https://example.org/b\n  ```\n',
    ],
    ['stands in a quotation', '[a]\n\n> [a]: https://example.org/a\n> text'],
    ['stands in a list', '[a]\n\n- item\n\n  [a]: https://example.org/a\n'],
    [
      'differs by case folding',
      '[ẞ] [ΑΓΩ] [a   b]\n\n[SS]: https://example.org/s\n\n[αγω]: https://example.org/g\n\n[A\nB]: https://example.org/ab',
    ],
    [
      'has escapes and entities',
      '[a\\]b] [c]\n\n[a\\]b]: <https://example.org/a b\\>> "x \\" &quot; \\\\ <y>"\n[c]: https://example.org/?a=1&amp;b=2 \'d "e" f\'',
    ],
    ['comes twice', '[a]: https://example.org/1\n\n[a]\n\n[a]: https://example.org/2'],
    [
      'is followed by what would underline a paragraph',
      '[a]: https://example.org/a\n===\n[a]\n\n[b]: https://example.org/b\n---\n[b]',
    ],
    [
      'has a name of an object',
      '[constructor] [__proto__]\n\n[__proto__]: https://example.org/a\n\n[constructor]: https://example.org/b',
    ],
  ])('takes a link reference definition as the parser does that %s', (_, text) => expectSame(text))

  it.each([
    ['goes on', '<b>bold</b> and *more*\ntext\n\nnext'],
    ['goes on behind a tag on a line of its own', '<b>\n*text*\n# no heading\n- no list\n</b>\n\n*next*'],
    ['follows text', 'text\n<b>\n*text*\n\nnext'],
    ['holds what would be code or a table', '<div>\n```\n*a*\n```\n| a | b |\n|---|---|\n</div>\n\n*next*'],
  ])('takes a paragraph that begins with an HTML tag as the parser does when it %s', (_, text) => expectSame(text))
})

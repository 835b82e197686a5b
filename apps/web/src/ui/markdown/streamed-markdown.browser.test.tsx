import { cleanup } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import texts from '../../i18n/en-US/markdown.json'
import { addTexts } from '../../i18n/interface-language'
import { show, stream } from '../../testing/markdown'
import Markdown from './markdown'

beforeAll(() => {
  addTexts('en-US', { markdown: texts })
})
afterEach(cleanup)

/** What a reader gets: structure and words, without the ids that React gives out. */
const drawn = (container: HTMLElement): string => container.innerHTML.replaceAll(/_r_\w+_/g, '')

describe('A streamed answer', () => {
  it('ends as it would have been drawn at once, however it arrives', () => {
    const fragments = [
      'word ',
      'text\n',
      '\n',
      '\n\n',
      '# ',
      '- ',
      '- item\n',
      '  - sub\n',
      '1. one\n',
      '> quote\n',
      '```ts\n',
      '```\n',
      '| a | b |\n',
      '|---|---|\n',
      '| 1 | 2 |\n',
      '---\n',
      '$x$ ',
      '$$\n',
      '**',
      '*',
      '_',
      '`',
      '[a](https://example.org) ',
      '[r]',
      '[r]: https://example.org\n',
      '[^1]',
      '[^1]: note\n',
      '<b>',
      '<br>',
      '![p](https://example.org/p.png)',
      '&amp;',
      '\\',
      '😀',
      'עברית ',
      '    code\n',
      '~~',
      '- [ ] task\n',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...fragments), { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }),
        (parts, steps) => {
          const text = parts.join('')
          const streamed = stream(text, steps)
          const atOnce = show(text)
          expect(drawn(streamed.container)).toBe(drawn(atOnce.container))
          streamed.unmount()
          atOnce.unmount()
        },
      ),
      { numRuns: 60 },
    )
  })

  it('never draws a finished block again', () => {
    const view = show('First paragraph.\n\nSecond', true)
    const first = view.container.querySelector('p')
    const observer = new MutationObserver(() => undefined)
    if (first) observer.observe(first, { subtree: true, childList: true, characterData: true, attributes: true })
    for (let count = 0; count < 50; count += 1)
      view.rerender(<Markdown text={`First paragraph.\n\nSecond${' more'.repeat(count)}`} streaming />)
    expect(view.container.querySelector('p')).toBe(first)
    expect(observer.takeRecords()).toEqual([])
  })
})

import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DrawCitation } from './citation'
import Markdown from './markdown'

afterEach(cleanup)

const show = (text: string, known: number[], streaming = false) => (
  <DrawCitation value={(n) => (known.includes(n) ? <b data-chip={n}>[{n}]</b> : undefined)}>
    <Markdown text={text} streaming={streaming} />
  </DrawCitation>
)
const chips = () => [...document.querySelectorAll('[data-chip]')].map((chip) => chip.getAttribute('data-chip'))

it('draws the numbers that are known as citations, in sentences, lists and tables, and no others', () => {
  const text = 'Three rents [1], or less [2, 9]. Not [3].\n\n- An item [2]\n\n| a | b |\n| - | - |\n| x [1] | y |'
  const { container } = render(show(text, [1, 2]))
  expect(chips()).toEqual(['1', '2', '2', '1'])
  // What is not known stays the text that it is.
  expect(container.textContent).toContain('less\u00a0[2]\u202f[9]. Not [3].')
})

it('draws none in code, in links, and where the text means something else', () => {
  render(show('`[1]` [words [1]](https://example.com) a[1] [1]: x\n\n```\n[1]\n```', [1, 2]))
  expect(chips()).toEqual([])
})

it('lets the number stick to the word before it', () => {
  const { container } = render(show('whenever you leave [1], and', [1]))
  expect(container.textContent).toBe('whenever you leave\u00a0[1], and')
})

it('draws a citation that becomes known later, without drawing its block anew, also while the answer grows', () => {
  const text = 'The fee [1] is due.\n\nThe index [2] ro'
  const { container, rerender } = render(show(text, [], true))
  const first = container.querySelector('p')
  const words = first?.firstChild
  expect(chips()).toEqual([])
  rerender(show(text, [1], true))
  expect(chips()).toEqual(['1'])
  rerender(show(`${text}se.`, [1, 2], true))
  expect(chips()).toEqual(['1', '2'])
  expect(container.querySelector('p')).toBe(first)
  expect(first?.firstChild).toBe(words)
})

it('cannot be forged: an answer that writes the element shows it as text', () => {
  render(show('<cite data-numbers="1">1</cite>', [1]))
  expect(chips()).toEqual([])
  expect(screen.getByText(/<cite/)).toBeTruthy()
})

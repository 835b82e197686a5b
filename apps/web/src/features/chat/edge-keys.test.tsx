import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onEdgeKey } from './edge-keys'

const taken: string[] = []
beforeEach(() => {
  taken.length = 0
  const take = (edge: string) => (): void => void taken.push(edge)
  const ways = { Home: take('first'), End: take('latest') }
  render(
    <div role="log" onKeyDown={(event) => onEdgeKey(event, ways)}>
      <button type="button">Copy</button>
      <textarea aria-label="Edit" />
      {createPortal(<button type="button">Elsewhere</button>, document.body)}
    </div>,
  )
})
afterEach(cleanup)

/** Whether the browser goes its own way as well. */
const press = (element: Element, key: object): boolean => {
  const event = createEvent.keyDown(element, key)
  fireEvent(element, event)
  return !event.defaultPrevented
}

it('Home and End go to the first and the latest message, from the list and from a message in it', () => {
  expect(press(screen.getByRole('log'), { key: 'Home' })).toBe(false)
  expect(press(screen.getByRole('button', { name: 'Copy' }), { key: 'End' })).toBe(false)
  expect(taken).toEqual(['first', 'latest'])
})

it('the keys stay with what has a use of its own for them', () => {
  expect(press(screen.getByRole('textbox'), { key: 'Home' })).toBe(true)
  expect(press(screen.getByRole('button', { name: 'Elsewhere' }), { key: 'End' })).toBe(true)
  expect(press(screen.getByRole('log'), { key: 'Home', ctrlKey: true })).toBe(true)
  expect(press(screen.getByRole('log'), { key: 'ArrowUp' })).toBe(true)
  expect(taken).toEqual([])
})

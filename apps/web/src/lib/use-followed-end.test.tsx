import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useFollowedEnd } from './use-followed-end'

const view = 200
let height = 1_000
/** As browsers have it: nothing is scrolled beyond the end. */
let top = 0
const own = {
  clientHeight: { get: () => view },
  scrollHeight: { get: () => height },
  scrollTop: {
    get: () => top,
    set: (wanted: number) => {
      top = Math.max(0, Math.min(wanted, height - view))
    },
  },
}

function Shown({ text, visit }: { text: string | undefined; visit?: number }) {
  const area = useRef<HTMLDivElement>(null)
  const onScroll = useFollowedEnd(area, text, visit)
  return (
    <div
      role="log"
      ref={(element) => {
        area.current = element && Object.defineProperties(element, own)
      }}
    >
      <button type="button" onClick={onScroll}>
        Scrolled
      </button>
    </div>
  )
}

beforeEach(() => {
  height = 1_000
  top = 0
})
afterEach(cleanup)

const scrolled = (): void => void fireEvent.click(screen.getByRole('button'))
const scrollTo = (wanted: number): void => {
  top = wanted
  scrolled()
}
const grow = (): void => {
  height += 100
}

it('follows what grows, and stays with a reader who goes up by a few pixels', () => {
  const { rerender } = render(<Shown text="a" />)
  expect(top).toBe(800)
  scrolled()
  grow()
  rerender(<Shown text="ab" />)
  expect(top).toBe(900)
  scrollTo(895)
  grow()
  rerender(<Shown text="abc" />)
  expect(top).toBe(895)
  scrollTo(1_000)
  grow()
  rerender(<Shown text="abcd" />)
  expect(top).toBe(1_100)
})

it('stays with a reader who has begun to go up, of which no event has come yet', () => {
  const { rerender } = render(<Shown text="a" />)
  scrolled()
  top = 700
  grow()
  rerender(<Shown text="ab" />)
  expect(top).toBe(700)
})

it('goes to the end again with another visit, and nowhere while nothing is shown', () => {
  const { rerender } = render(<Shown text={undefined} visit={1} />)
  expect(top).toBe(0)
  rerender(<Shown text="a" visit={1} />)
  scrollTo(100)
  rerender(<Shown text="ab" visit={1} />)
  expect(top).toBe(100)
  rerender(<Shown text="abc" visit={2} />)
  expect(top).toBe(800)
})

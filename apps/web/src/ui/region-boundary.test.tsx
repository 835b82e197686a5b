import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { startI18n } from '../i18n/i18n'
import { RegionBoundary } from './region-boundary'

beforeAll(startI18n)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

let isBroken = true
function Part() {
  if (isBroken) throw new Error('a bad record')
  return <p>The list</p>
}
const page = (resetKey: string) => (
  <>
    <RegionBoundary resetKey={resetKey}>
      <Part />
    </RegionBoundary>
    <textarea aria-label="Message" />
  </>
)

it('an error in one region leaves what is typed in another, and the region can be tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  isBroken = false
  const view = render(page('a'))
  const box = screen.getByRole('textbox', { name: 'Message' })
  await userEvent.type(box, 'A long question')
  isBroken = true
  view.rerender(page('a'))
  expect(screen.getByRole('alert').textContent).toContain('This part of the page ran into an error.')
  expect(screen.getByRole('textbox', { name: 'Message' })).toBe(box)
  expect(box).toHaveProperty('value', 'A long question')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByText('The list')).toBeTruthy()
})

it('another address tries it again by itself', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  isBroken = true
  const view = render(page('a'))
  expect(screen.getByRole('alert')).toBeTruthy()
  isBroken = false
  view.rerender(page('b'))
  expect(screen.getByText('The list')).toBeTruthy()
})

import './global.css'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Trash2 } from 'lucide-react'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startI18n } from '../i18n/i18n'
import { Button, IconButton } from './button'
import { Tooltip } from './tooltip'

beforeEach(async () => {
  await page.viewport(1000, 800)
  await startI18n()
  await userEvent.unhover(document.body)
})
afterEach(cleanup)

const tooltip = () => screen.queryByRole('tooltip')

function show() {
  return render(
    <div style={{ padding: 40 }}>
      <IconButton label="Delete" icon={Trash2} />
      <p>Below</p>
    </div>,
  )
}

it('appears 300 ms after the pointer comes, moves nothing, and goes with the pointer [CH-033]', async () => {
  show()
  const before = screen.getByText('Below').getBoundingClientRect().top
  const button = screen.getByRole('button')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await userEvent.hover(button)
  act(() => void vi.advanceTimersByTime(299))
  expect(tooltip()).toBeNull()
  act(() => void vi.advanceTimersByTime(1))
  expect(tooltip()?.matches(':popover-open')).toBe(true)
  expect(screen.getByText('Below').getBoundingClientRect().top).toBe(before)
  await userEvent.hover(screen.getByText('Below'))
  expect(tooltip()).toBeNull()
})

it('appears on keyboard focus, and Esc hides it [CH-033]', async () => {
  show()
  await userEvent.keyboard('{Tab}')
  await expect.poll(tooltip).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(tooltip()).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button'))
})

it('Esc hides it while the focus is elsewhere', async () => {
  show()
  await userEvent.hover(screen.getByRole('button'))
  await expect.poll(tooltip).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(tooltip()).toBeNull()
})

it('describes a control that has words of its own, and does not repeat a name', async () => {
  render(
    <Tooltip label="It is kept on this device">
      <Button>Storage</Button>
    </Tooltip>,
  )
  await userEvent.keyboard('{Tab}')
  await expect.poll(tooltip).not.toBeNull()
  expect(screen.getByRole('button').getAttribute('aria-describedby')).toBe(tooltip()?.id)
  cleanup()
  show()
  await userEvent.keyboard('{Tab}')
  await expect.poll(tooltip).not.toBeNull()
  expect(screen.getByRole('button').hasAttribute('aria-describedby')).toBe(false)
})

it('stays inside the window', async () => {
  render(
    <div style={{ position: 'fixed', right: 0, bottom: 0 }}>
      <IconButton label="A rather long name for a small button" icon={Trash2} />
    </div>,
  )
  await userEvent.hover(screen.getByRole('button'))
  await expect.poll(tooltip).not.toBeNull()
  const box = tooltip()?.getBoundingClientRect() ?? new DOMRect()
  expect(box.right).toBeLessThanOrEqual(innerWidth)
  expect(box.bottom).toBeLessThanOrEqual(innerHeight)
})

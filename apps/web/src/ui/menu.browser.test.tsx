import './global.css'
import { cleanup, render, screen } from '@testing-library/react'
import { Ellipsis } from 'lucide-react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startI18n } from '../i18n/i18n'
import { Dialog } from './dialog'
import { ContextMenu, Menu, type MenuItem } from './menu'

let chosen: string[] = []

beforeEach(async () => {
  await page.viewport(1000, 800)
  await startI18n()
  chosen = []
})
afterEach(cleanup)

const item = (label: string, more: Partial<Exclude<MenuItem, 'separator'>> = {}): MenuItem => ({
  id: label,
  label,
  onSelect: () => void chosen.push(label),
  ...more,
})
const items: MenuItem[] = [
  item('Rename'),
  item('Export PDF', { disabled: true }),
  'separator',
  item('Clear'),
  item('Delete', { tone: 'danger' }),
]

const button = () => screen.getByRole('button', { name: 'Chat tools' })
const menu = () => screen.queryByRole('menu')
const focused = () => document.activeElement?.textContent

async function openMenu() {
  render(<Menu label="Chat tools" icon={Ellipsis} items={items} />)
  await userEvent.click(button())
}

describe('a menu button', () => {
  it('opens with the first entry in focus, says so, and Esc gives the focus back', async () => {
    await openMenu()
    expect(button().getAttribute('aria-expanded')).toBe('true')
    expect(button().getAttribute('aria-controls')).toBe(menu()?.id)
    expect(focused()).toBe('Rename')
    await userEvent.keyboard('{Escape}')
    expect(menu()).toBeNull()
    expect(document.activeElement).toBe(button())
    expect(button().getAttribute('aria-expanded')).toBe('false')
  })

  it('is walked by arrows, Home, End and letters', async () => {
    render(<Menu label="Chat tools" icon={Ellipsis} items={items} />)
    button().focus()
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toBe('Delete')
    const steps = [
      ['{ArrowDown}', 'Rename'],
      ['{ArrowDown}', 'Export PDF'],
      ['{ArrowUp}', 'Rename'],
      ['{End}', 'Delete'],
      ['{Home}', 'Rename'],
      ['de', 'Delete'],
    ] as const
    for (const [keys, reached] of steps) {
      await userEvent.keyboard(keys)
      expect(focused()).toBe(reached)
    }
  })

  it('runs what is chosen, once, and nothing that is disabled', async () => {
    await openMenu()
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(chosen).toEqual([])
    expect(menu()).not.toBeNull()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
    expect(chosen).toEqual(['Delete'])
    expect(menu()).toBeNull()
  })

  it('closes by a click outside and by its own button', async () => {
    await openMenu()
    await userEvent.click(document.body, { position: { x: 900, y: 700 }, force: true })
    expect(menu()).toBeNull()
    await userEvent.click(button())
    await userEvent.click(button())
    expect(menu()).toBeNull()
  })

  it('is clipped by nothing and stays in the window: it opens upwards at the bottom and turns in at the right', async () => {
    render(
      <div
        style={{
          position: 'fixed',
          right: 0,
          bottom: 0,
          width: 40,
          height: 40,
          overflow: 'hidden',
          transform: 'translateZ(0)',
        }}
      >
        <Menu label="Chat tools" icon={Ellipsis} items={items} />
      </div>,
    )
    await userEvent.click(button())
    const box = menu()?.getBoundingClientRect() ?? new DOMRect()
    expect(box.right).toBeLessThanOrEqual(innerWidth)
    expect(box.bottom).toBeLessThanOrEqual(button().getBoundingClientRect().top)
    const first = screen.getByRole('menuitem', { name: 'Rename' })
    const { left, top } = first.getBoundingClientRect()
    expect(first.contains(document.elementFromPoint(left + 10, top + 10))).toBe(true)
  })

  it('in a dialog, Esc closes the menu only', async () => {
    let closed = 0
    render(
      <Dialog title="Data" onClose={() => closed++}>
        <Menu label="Chat tools" icon={Ellipsis} items={items} />
      </Dialog>,
    )
    await userEvent.click(button())
    await userEvent.keyboard('{Escape}')
    expect([menu(), closed]).toEqual([null, 0])
    await userEvent.keyboard('{Escape}')
    expect(closed).toBe(1)
  })

  it('has entries of 44 px on a narrow screen', async () => {
    await page.viewport(390, 844)
    await openMenu()
    for (const entry of screen.getAllByRole('menuitem')) expect(entry.offsetHeight).toBeGreaterThanOrEqual(44)
  })
})

it('a context menu opens at its point and is kept inside the window', () => {
  const view = render(<ContextMenu at={{ x: 300, y: 200 }} items={items} onClose={() => undefined} />)
  const box = menu()?.getBoundingClientRect()
  expect(box?.left).toBe(300)
  expect(box?.top).toBeGreaterThanOrEqual(200)
  expect(box?.top).toBeLessThanOrEqual(210)
  view.rerender(<ContextMenu at={{ x: 995, y: 795 }} items={items} onClose={() => undefined} />)
  const cornered = menu()?.getBoundingClientRect()
  expect(cornered?.right).toBeLessThanOrEqual(1000)
  expect(cornered?.bottom).toBeLessThanOrEqual(800)
})

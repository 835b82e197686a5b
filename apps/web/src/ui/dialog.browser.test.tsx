import './global.css'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Ellipsis } from 'lucide-react'
import { type ReactNode, StrictMode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startI18n } from '../i18n/i18n'
import { Button } from './button'
import { Dialog } from './dialog'
import { Menu } from './menu'

beforeEach(async () => {
  await page.viewport(1440, 900)
  await startI18n()
})
afterEach(cleanup)

function Page({ isStatic = false, refuses = false }: { isStatic?: boolean; refuses?: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const open = (): void => setIsOpen(true)
  return (
    <>
      <Button onClick={open}>Open</Button>
      <Menu label="Tools" icon={Ellipsis} items={[{ id: 'rename', label: 'Rename', onSelect: open }]} />
      {isOpen && (
        <Dialog
          title="Rename chat"
          size="small"
          isStatic={isStatic}
          onClose={() => !refuses && setIsOpen(false)}
          footer={<Button variant="primary">Save</Button>}
        >
          <input aria-label="Name" defaultValue="A name that is selected with the mouse" />
          <input type="file" aria-label="File" />
        </Dialog>
      )}
    </>
  )
}

const dialog = () => screen.queryByRole('dialog', { name: 'Rename chat' })
const focused = () => document.activeElement

async function openDialog(page: ReactNode) {
  render(<StrictMode>{page}</StrictMode>)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(dialog()?.matches(':modal')).toBe(true)
}

describe('a dialog', () => {
  it('puts the focus into its first field and gives it back', async () => {
    await openDialog(<Page />)
    expect(focused()).toBe(screen.getByRole('textbox', { name: 'Name' }))
    await userEvent.keyboard('{Escape}')
    expect(dialog()).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name: 'Open' }))
  })

  it('opened from a menu, gives the focus back to the button of the menu', async () => {
    render(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Tools' }))
    await userEvent.keyboard('{Enter}')
    expect(focused()).toBe(screen.getByRole('textbox', { name: 'Name' }))
    await userEvent.keyboard('{Escape}')
    expect(focused()).toBe(screen.getByRole('button', { name: 'Tools' }))
  })

  it('keeps Tab inside', async () => {
    await openDialog(<Page />)
    for (let presses = 0; presses < 12; presses++) {
      await userEvent.keyboard('{Tab}')
      expect(focused() === document.body || dialog()?.contains(focused())).toBe(true)
    }
  })

  it('closes by a click outside, unless it is static', async () => {
    await openDialog(<Page />)
    await userEvent.click(document.body, { position: { x: 20, y: 20 }, force: true })
    expect(dialog()).toBeNull()
    cleanup()
    await openDialog(<Page isStatic />)
    await userEvent.click(document.body, { position: { x: 20, y: 20 }, force: true })
    expect(dialog()).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(dialog()).toBeNull()
  })

  it('stays open when a selection by mouse ends outside, and when a file chooser is cancelled', async () => {
    await openDialog(<Page />)
    const field = screen.getByRole('textbox', { name: 'Name' })
    const element = dialog()
    if (!element) throw new Error('no dialog')
    fireEvent.pointerDown(field)
    fireEvent.click(element)
    fireEvent(screen.getByLabelText('File'), new Event('cancel', { bubbles: true }))
    expect(dialog()).not.toBeNull()
  })

  it('stays modal when its owner refuses to close it, however often Esc is pressed', async () => {
    await openDialog(<Page refuses />)
    for (let presses = 0; presses < 3; presses++) {
      await userEvent.keyboard('{Escape}')
      await act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      expect(dialog()?.matches(':modal')).toBe(true)
    }
  })

  it('is a sheet at the bottom of a narrow screen, and scrolls inside', async () => {
    await page.viewport(390, 844)
    render(
      <Dialog title="Rename chat" onClose={() => undefined} footer={<Button>Save</Button>}>
        <p style={{ height: 3_000 }}>Long</p>
      </Dialog>,
    )
    const element = dialog()
    await Promise.all(element?.getAnimations().map(({ finished }) => finished) ?? [])
    const box = element?.getBoundingClientRect()
    expect([box?.left, box?.right, box?.bottom]).toEqual([0, 390, 844])
    expect(box?.height).toBeLessThanOrEqual(844 * 0.94 + 1)
    expect(screen.getByRole('button', { name: 'Save' }).getBoundingClientRect().bottom).toBeLessThan(844.5)
  })
})

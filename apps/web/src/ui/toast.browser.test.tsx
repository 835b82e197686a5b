import './global.css'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startI18n } from '../i18n/i18n'
import { Dialog } from './dialog'
import { confirmToast, reloadToast, Toaster, toast } from './toast'
import { useToasts } from './toast-store'

beforeEach(async () => {
  await page.viewport(1440, 900)
  await startI18n()
})
afterEach(() => {
  cleanup()
  useToasts.setState({ toasts: [], confirmations: [] })
})

const textbox = (name: string) => screen.getByRole('textbox', { name })

function ask(question: () => Promise<boolean>): Promise<boolean> {
  let answer = Promise.resolve(false)
  act(() => {
    answer = question()
  })
  return answer
}

/** What lies on top where the element is. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

it('stands at the top, in the middle [CH-064]', async () => {
  render(<Toaster />)
  act(() => toast.success('Chat renamed successfully!'))
  const { left, right, top } =
    (await screen.findByText('Chat renamed successfully!')).parentElement?.getBoundingClientRect() ?? new DOMRect()
  expect(top).toBeGreaterThanOrEqual(0)
  expect(top).toBeLessThan(40)
  expect(Math.abs((left + right) / 2 - innerWidth / 2)).toBeLessThan(1)
})

it('asks with the focus on Cancel, and gives the focus back [CH-065]', async () => {
  render(
    <>
      <input aria-label="Message" />
      <Toaster />
    </>,
  )
  await userEvent.click(textbox('Message'))
  const answer = ask(() => confirmToast({ message: 'Delete this chat?', danger: true }))
  expect(document.activeElement?.textContent).toBe('Cancel')
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement?.textContent).toBe('Ok')
  await userEvent.keyboard('{Enter}')
  expect(await answer).toBe(true)
  expect(document.activeElement).toBe(textbox('Message'))
})

it('is cancelled by Esc, wherever the focus is [CH-065]', async () => {
  render(
    <>
      <input aria-label="Message" />
      <Toaster />
    </>,
  )
  const answer = ask(() => confirmToast({ message: 'Delete this chat?' }))
  await userEvent.click(textbox('Message'))
  await userEvent.keyboard('{Escape}')
  expect(await answer).toBe(false)
  expect(document.activeElement).toBe(textbox('Message'))
})

it('can be read and answered over an open dialog, which Esc leaves open', async () => {
  let closed = 0
  render(
    <>
      <Dialog title="Settings" onClose={() => closed++}>
        <input aria-label="Name" />
      </Dialog>
      <Toaster />
    </>,
  )
  act(() => toast.error('Failed'))
  expect(isOnTop(await screen.findByText('Failed'))).toBe(true)
  const first = ask(() => confirmToast({ message: 'Discard your changes?' }))
  expect(document.activeElement?.textContent).toBe('Cancel')
  await userEvent.keyboard('{Escape}')
  expect(await first).toBe(false)
  expect(closed).toBe(0)
  expect(document.activeElement).toBe(textbox('Name'))
  const second = ask(() => confirmToast({ message: 'Discard your changes?' }))
  await userEvent.click(screen.getByRole('button', { name: 'Ok' }))
  expect(await second).toBe(true)
})

it('stays, with its focus and its line, when a dialog opens and closes below it', async () => {
  const dialog = (
    <Dialog title="Settings" onClose={() => undefined}>
      Words
    </Dialog>
  )
  const view = render(<Toaster />)
  const answer = ask(() => confirmToast({ message: 'Delete this chat?' }))
  const line = () => document.getAnimations().filter(({ effect }) => effect?.getTiming().duration === 15_000)
  const [before] = line()
  if (before) before.currentTime = 9_000
  view.rerender(
    <>
      <Toaster />
      {dialog}
    </>,
  )
  expect(isOnTop(screen.getByText('Delete this chat?'))).toBe(true)
  expect(line()).toEqual([before])
  expect(Number(before?.currentTime)).toBeGreaterThanOrEqual(9_000)
  act(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).focus())
  view.rerender(<Toaster />)
  expect(document.activeElement?.textContent).toBe('Cancel')
  expect(isOnTop(screen.getByText('Delete this chat?'))).toBe(true)
  await userEvent.keyboard('{Enter}')
  expect(await answer).toBe(false)
})

it('offers a reload without taking the focus from what is being written [CH-066]', async () => {
  render(
    <>
      <input aria-label="Message" />
      <Toaster />
    </>,
  )
  await userEvent.click(textbox('Message'))
  const answer = ask(() => reloadToast('A new version is ready. Reload to use it.'))
  await userEvent.keyboard('Hello')
  expect(textbox('Message')).toHaveProperty('value', 'Hello')
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await answer).toBe(true)
})

it('fits a phone, with buttons for a finger', async () => {
  await page.viewport(390, 844)
  render(<Toaster />)
  const answer = ask(() =>
    confirmToast({ message: 'Import 1,204 chats from this file? Chats that are already here are skipped.' }),
  )
  const box = screen.getByRole('alertdialog').getBoundingClientRect()
  expect(box.left).toBeGreaterThanOrEqual(8)
  expect(box.right).toBeLessThanOrEqual(382)
  for (const button of screen.getAllByRole('button')) expect(button.offsetHeight).toBeGreaterThanOrEqual(44)
  await userEvent.keyboard('{Escape}')
  expect(await answer).toBe(false)
})

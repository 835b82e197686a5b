import '../testing/browser-gaps'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startI18n } from '../i18n/i18n'
import { confirmToast, reloadToast, Toaster, toast } from './toast'
import { useToasts } from './toast-store'

beforeEach(async () => {
  await startI18n()
  vi.useFakeTimers()
  render(<Toaster />)
  pass(200)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  useToasts.setState({ toasts: [], confirmations: [] })
})

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))
const say = (speak: () => void): void => act(speak)

/** What a promise has come to, or undefined while it is open. */
async function answerOf(question: Promise<boolean>): Promise<boolean | undefined> {
  return Promise.race([question, Promise.resolve(undefined)])
}

function ask(question: () => Promise<boolean>): Promise<boolean> {
  let answer = Promise.resolve(false)
  act(() => {
    answer = question()
  })
  return answer
}

describe('a toast', () => {
  it('lasts 3000 ms [CH-064]', () => {
    say(() => toast.success('Saved'))
    pass(2_999)
    expect(screen.getByText('Saved')).toBeTruthy()
    pass(1)
    expect(screen.queryByText('Saved')).toBeNull()
  })

  it('waits while the pointer is on it', () => {
    say(() => toast.info('Read me'))
    pass(2_000)
    const shown = screen.getByText('Read me')
    fireEvent.pointerEnter(shown.parentElement ?? shown)
    pass(60_000)
    fireEvent.pointerLeave(shown.parentElement ?? shown)
    pass(999)
    expect(screen.getByText('Read me')).toBeTruthy()
    pass(1)
    expect(screen.queryByText('Read me')).toBeNull()
  })

  it('is read out at once when it is an error, else when there is time', () => {
    say(() => {
      toast.error('Failed')
      toast.success('Saved')
    })
    expect(screen.getByText('Failed').closest('[aria-live]')?.getAttribute('aria-live')).toBe('assertive')
    expect(screen.getByText('Saved').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
  })

  it('makes room for a fourth, but not if it says that something is under way', () => {
    say(() => {
      toast.loading('Exporting')
      for (const text of ['one', 'two', 'three']) toast.info(text)
    })
    expect(screen.queryByText('one')).toBeNull()
    for (const text of ['Exporting', 'two', 'three']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('says the same thing once', () => {
    say(() => {
      toast.error('Failed')
      toast.error('Failed')
    })
    expect(screen.getAllByText('Failed')).toHaveLength(1)
  })

  it('stays while something is under way, and changes its words', () => {
    let progress: ReturnType<typeof toast.loading> | undefined
    say(() => {
      progress = toast.loading('12 of 41')
    })
    pass(60_000)
    say(() => progress?.update('13 of 41'))
    expect(screen.getByText('13 of 41')).toBeTruthy()
    say(() => progress?.dismiss())
    expect(screen.queryByText('13 of 41')).toBeNull()
  })

  it('to everyone stays until it is closed', () => {
    say(() => toast.notice('Maintenance tonight'))
    pass(60_000)
    expect(screen.getByText('Maintenance tonight')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Maintenance tonight')).toBeNull()
  })
})

describe('a confirmation', () => {
  it('has Cancel and Ok, lasts 15 s and counts as cancel when it times out [CH-065]', async () => {
    const answer = ask(() => confirmToast({ message: 'Delete all Local chats?', danger: true }))
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Cancel', 'Ok'])
    pass(14_999)
    expect(await answerOf(answer)).toBeUndefined()
    pass(1)
    expect(await answerOf(answer)).toBe(false)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('is answered by Ok and by Cancel [CH-065]', async () => {
    const yes = ask(() => confirmToast({ message: 'Delete this chat?' }))
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(await answerOf(yes)).toBe(true)
    const no = ask(() => confirmToast({ message: 'Delete this chat?' }))
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await answerOf(no)).toBe(false)
  })

  it('waits for the one before it, and then has its own 15 s', async () => {
    const first = ask(() => confirmToast({ message: 'First?' }))
    const second = ask(() => confirmToast({ message: 'Second?' }))
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1)
    pass(14_000)
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(await answerOf(first)).toBe(true)
    expect(screen.getByRole('alertdialog', { name: 'Second?' })).toBeTruthy()
    pass(14_999)
    expect(await answerOf(second)).toBeUndefined()
    pass(1)
    expect(await answerOf(second)).toBe(false)
  })
})

it('a reload toast lasts 15 s as well [CH-066]', async () => {
  const answer = ask(() => reloadToast('A new version is ready. Reload to use it.'))
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  pass(14_999)
  expect(await answerOf(answer)).toBeUndefined()
  pass(1)
  expect(await answerOf(answer)).toBe(false)
})

it('a question of the person does not wait behind an offered reload, which comes back after it', async () => {
  const offer = ask(() => reloadToast('A new version is ready. Reload to use it.'))
  const answer = ask(() => confirmToast({ message: 'Delete this chat?' }))
  expect(screen.getByRole('alertdialog', { name: 'Delete this chat?' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
  expect(await answer).toBe(true)
  expect(await answerOf(offer)).toBeUndefined()
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await offer).toBe(true)
})

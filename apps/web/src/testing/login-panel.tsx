import { screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { openLoginPanel, useLoginPanel } from '../data/session/login-panel'
import { renderScreen } from './render-screen'
import { aUser, tokens } from './seed-session'

export type Options = NonNullable<Parameters<typeof renderScreen>[1]>
export type Answers = NonNullable<Options['answers']>

export const everyMethod = {
  signInMethods: ['email', 'google', 'ethereum', 'solana', 'sui'],
} satisfies Options['config']
export const signedIn = { ...tokens, user: aUser(), vault_key: 'A'.repeat(43) }
export const goodPassword = 'Abcdef1!'

/** The app with the panel open at a view. */
export async function openPanel(
  view: 'sign-in' | 'register' | 'recover' = 'sign-in',
  { answers, config = everyMethod }: { answers?: Answers; config?: Options['config'] } = {},
) {
  const app = await renderScreen('/app', { config, ...(answers ? { answers } : {}) })
  openLoginPanel(view)
  const dialog = await screen.findByRole('dialog')
  const panel = within(dialog)
  const field = (name: string) => panel.getByLabelText<HTMLInputElement>(name)
  const press = (name: string | RegExp) => app.user.click(panel.getByRole('button', { name }))
  return { ...app, dialog, panel, field, press }
}

/** A sign-in closes the panel once the next page is there: later it would be the panel of the next test. */
export const untilPanelCloses = () => waitFor(() => expect(useLoginPanel.getState().view).toBeUndefined())

export const failure = (status: number, code: string) => ({
  status,
  body: { success: false, code, message: '', status },
})

/** Waits for a text in a toast, apart from every field. */
export const findToast = (text: string) =>
  waitFor(() =>
    expect([...document.querySelectorAll('[aria-live] span')].map((each) => each.textContent)).toContain(text),
  )
export const toasts = () =>
  [...document.querySelectorAll('[popover] [data-tone]')].map((each) => each.querySelector('span')?.textContent)

/** The text describes its field, which is invalid and has the focus. */
export function expectUnder(input: HTMLElement, text: string): void {
  expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(text)
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(input)
}

import '../testing/browser-gaps'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setLanguage, startI18n } from '../i18n/i18n'
import { Toaster } from '../ui/toast'
import { useToasts } from '../ui/toast-store'
import { watchErrors } from './error-watch'

afterEach(async () => {
  cleanup()
  useToasts.setState({ toasts: [], confirmations: [] })
  await setLanguage('en-US')
  vi.restoreAllMocks()
})

describe('errors that nobody handled', () => {
  it('offer a reload from the fifth on, once, in the language of the person [ST-234]', async () => {
    await startI18n()
    await setLanguage('es-ES')
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    watchErrors()
    render(<Toaster />)
    const question = 'Se produjeron varios errores. ¿Recargar la página?'
    const fail = (kind: 'error' | 'unhandledrejection') => act(() => void dispatchEvent(new Event(kind)))
    // What a growing answer makes browsers say is no error.
    const note = { message: 'ResizeObserver loop completed with undelivered notifications.' }
    for (let n = 0; n < 10; n++) act(() => void dispatchEvent(new ErrorEvent('error', note)))
    for (const kind of ['error', 'unhandledrejection', 'error', 'unhandledrejection'] as const) fail(kind)
    expect(useToasts.getState().confirmations).toEqual([])
    fail('error')
    fireEvent.click(await screen.findByRole('button', { name: /Recargar/ }))
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
    for (let n = 0; n < 10; n++) fail('error')
    expect(screen.queryByText(question)).toBeNull()
  })
})

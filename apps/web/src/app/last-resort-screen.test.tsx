import '../testing/browser-gaps'
import { AppError } from '@parley/contract/errors'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary'
import { LastResortScreen } from './last-resort-screen'

afterEach(() => {
  cleanup()
  document.documentElement.lang = ''
})

function Broken(): never {
  throw new Error('a bug')
}

describe('the last resort', () => {
  it('offers Reload and Clear cache when the page breaks [ST-232]', () => {
    // React tells the console about every error that a boundary caught.
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    )
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Clear cache' })).toBeTruthy()
    expect(screen.queryByText('a bug')).toBeNull()
    log.mockRestore()
  })

  it.each([
    ['en-US', 'Initialization Error'],
    ['pt-BR', 'Erro de inicialização'],
    ['es-ES', 'Error de inicialización'],
  ])('says in %s why the app could not start [ST-233]', (language, title) => {
    document.documentElement.lang = language
    render(<LastResortScreen error={new AppError('storage.unavailable')} atStart />)
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
  })
})

import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { setTheme, useTheme, watchTheme } from './theme'

let stop = (): void => undefined
afterEach(() => {
  stop()
  localStorage.clear()
})

const shown = (): string | undefined => document.documentElement.dataset.theme

it('is put on the page and remembered', () => {
  stop = watchTheme()
  setTheme('dark')
  expect([shown(), localStorage.getItem('parley-theme')]).toEqual(['dark', 'dark'])
  setTheme('light')
  expect(shown()).toBe('light')
})

it('follows a choice that was made in another tab', () => {
  setTheme('light')
  stop = watchTheme()
  const { result } = renderHook(useTheme)
  localStorage.setItem('parley-theme', 'dark')
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'parley-theme' })))
  expect([shown(), result.current]).toEqual(['dark', 'dark'])
})

it('is the system’s when what is stored is no theme', () => {
  localStorage.setItem('parley-theme', 'purple')
  stop = watchTheme()
  const { result } = renderHook(useTheme)
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'parley-theme' })))
  expect(result.current).toBe('system')
  expect(shown()).toBe(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
})

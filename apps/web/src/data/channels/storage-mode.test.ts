import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  localStorage.clear()
  vi.resetModules()
})

it.each([
  ['cloud', null, 'cloud'],
  ['local', null, 'local'],
  ['cloud', 'local', 'local'],
])(
  'a choice that an older version kept (%s) is moved once to storage-mode (%s) [CH-170, ST-077]',
  async (former, present, expected) => {
    localStorage.setItem('storageMode', former)
    if (present !== null) localStorage.setItem('storage-mode', present)
    const { setStorageMode } = await import('./storage-mode')
    expect([localStorage.getItem('storageMode'), localStorage.getItem('storage-mode')]).toEqual([null, expected])
    setStorageMode('cloud')
    expect(localStorage.getItem('storage-mode')).toBe('cloud')
  },
)

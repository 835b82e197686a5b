import { expect, it } from 'vitest'
import { byteText } from './byte-text'

it('tells sizes as the limits count them, and never makes what is too large small enough', () => {
  expect(byteText(0, 'en-US')).toBe('0 bytes')
  expect(byteText(96 * 1024, 'en-US')).toBe('96 kB')
  expect(byteText(1.2 * 1024 * 1024, 'en-US')).toBe('1.2 MB')
  expect(byteText(50 * 1024 * 1024, 'en-US')).toBe('50 MB')
  expect(byteText(50 * 1024 * 1024 + 1, 'en-US')).toBe('51 MB')
  expect(byteText(1.25 * 1024 * 1024, 'pt-BR')).toBe('1,3 MB')
})

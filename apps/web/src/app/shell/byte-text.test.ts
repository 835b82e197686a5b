import { describe, expect, it } from 'vitest'
import { byteText } from './byte-text'

describe('an amount of storage', () => {
  it('is short and in the language of the person', () => {
    expect(byteText(1_400_000_000, 'en-US')).toBe('1.4 GB')
    expect(byteText(1_400_000_000, 'pt-BR')).toBe('1,4 GB')
    expect(byteText(12, 'en-US')).toBe('12 byte')
    expect(byteText(0, 'en-US')).toBe('0 byte')
  })
})

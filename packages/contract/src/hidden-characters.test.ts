import { describe, expect, it } from 'vitest'
import { cleanChannelName } from './channels'
import { withoutHidden } from './hidden-characters'

describe('A name', () => {
  it.each([
    ['a right-to-left override', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['isolates and marks of direction', '\u2066a\u2069\u200Eb\u200F\u061C', 'ab'],
    ['zero-width characters', 'Pa\u200Brl\u2060ey\uFEFF\u00AD', 'Parley'],
    ['tag characters that carry words', 'Plan\u{E0069}\u{E0067}\u{E006E}', 'Plan'],
    ['joiners between Latin letters', 'a\u200Db\u200Cc', 'abc'],
    ['letters that are blank', 'a\u3164\u2800b', 'ab'],
  ])('keeps nothing of %s', (_, name, kept) => {
    expect(withoutHidden(name)).toBe(kept)
    expect(cleanChannelName(name)).toBe(kept)
  })

  it('keeps what scripts and emoji need: joiners in Persian and Hindi, families, flags of parts of a country', () => {
    for (const name of [
      'می\u200Cخواهم',
      'क्\u200Dष',
      '👩\u200D👩\u200D👧',
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
      '❤️\u200D🔥',
    ]) {
      expect(withoutHidden(name)).toBe(name)
    }
  })

  it('is empty when nothing of it can be seen', () => {
    expect(cleanChannelName('\u200B\u202E\u3164 \u{E0041}')).toBe('')
  })
})

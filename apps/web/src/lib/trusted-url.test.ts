import { describe, expect, it } from 'vitest'
import { trustedScriptUrl } from './trusted-url'

describe('a script for a worker', () => {
  it('comes from our own origin', () => {
    expect(String(trustedScriptUrl('/sw.js'))).toBe(`${location.origin}/sw.js`)
    expect(() => trustedScriptUrl('https://elsewhere.example/sw.js')).toThrow('Refused')
    expect(() => trustedScriptUrl('data:text/javascript,alert(1)')).toThrow('Refused')
  })
})

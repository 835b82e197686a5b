import { describe, expect, it } from 'vitest'
import { channelIdOf } from './selected-channel'

describe('the fragment of the address', () => {
  it('names the open channel', () => {
    expect(channelIdOf('#0193-abc')).toBe('0193-abc')
    expect(channelIdOf('0193-abc')).toBe('0193-abc')
    expect(channelIdOf('')).toBeUndefined()
    expect(channelIdOf('#')).toBeUndefined()
  })

  it('is no channel when it carries an order to the app', () => {
    expect(channelIdOf('#confirmEmail=abc')).toBeUndefined()
  })
})

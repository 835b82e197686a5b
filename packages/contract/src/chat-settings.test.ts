import { describe, expect, it } from 'vitest'
import {
  ChatSettings,
  ChatSettingsChange,
  changedSettings,
  cleanSettingsChange,
  mergedSettings,
  requestSettings,
  settingsChange,
  settingsOf,
} from './chat-settings'
import { windowOf } from './context'
import { limits } from './limits/shared'

const all = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' } as const

describe('the settings of a chat', () => {
  it('are an effort, a temperature in tenths up to 2, a length and instructions, each of them optional', () => {
    for (const good of [{}, all, { temperature: 0 }, { temperature: 2 }, { temperature: 0.3 }, { effort: 'none' }])
      expect(ChatSettings.safeParse(good).success, JSON.stringify(good)).toBe(true)
    const bad = [
      { effort: 'most' },
      { temperature: -0.1 },
      { temperature: 2.1 },
      { temperature: 0.75 },
      { temperature: Number.NaN },
      { answerTokens: 1.5 },
      { answerTokens: limits.chatSettings.answerTokens.least - 1 },
      { answerTokens: limits.chatSettings.answerTokens.most + 1 },
      { instructions: 'x'.repeat(limits.chatSettings.maxInstructions + 1) },
    ]
    for (const each of bad) {
      expect(ChatSettings.safeParse(each).success, JSON.stringify(each)).toBe(false)
      expect(ChatSettingsChange.safeParse(each).success, JSON.stringify(each)).toBe(false)
    }
  })

  it('are read one by one, so that one of a later version hides no other', () => {
    expect(settingsOf({})).toEqual({})
    expect(settingsOf({ settings: { ...all, effort: 'extreme', style: 'terse' } })).toEqual({
      temperature: 0.7,
      answerTokens: 500,
      instructions: 'Be brief.',
    })
    expect(settingsOf({ settings: { style: 'terse', instructions: '' } })).toEqual({})
  })

  it('change one by one, and keep what a later version has added', () => {
    const stored = { effort: 'extreme', style: 'terse', temperature: 1 }
    expect(changedSettings(stored, { temperature: null, answerTokens: 500 })).toEqual({
      effort: 'extreme',
      style: 'terse',
      answerTokens: 500,
    })
    expect(changedSettings(undefined, { effort: 'low' })).toEqual({ effort: 'low' })
    expect(changedSettings({ effort: 'low' }, { effort: null })).toBeUndefined()
    expect(changedSettings({ effort: 'low' }, {})).toEqual({ effort: 'low' })
  })

  it('of two copies of a chat are those of one, with what only the other has, or exactly those of one', () => {
    const [one, other] = [
      { settings: { effort: 'low', style: 'dry' } },
      { settings: { effort: 'high', temperature: 1 } },
    ]
    expect(mergedSettings(one, other)).toEqual({ settings: { effort: 'low', temperature: 1 } })
    expect(settingsChange(one, mergedSettings(one, other))).toEqual({ temperature: 1 })
    expect(settingsChange(one, other)).toEqual({ effort: 'high', temperature: 1 })
    expect(settingsChange(other, {})).toEqual({ effort: null, temperature: null })
    expect(settingsChange(one, { settings: { effort: 'low' } })).toBeUndefined()
  })

  it('keep instructions without what nobody sees, and blank ones not at all', () => {
    const clean = (instructions: string) => cleanSettingsChange({ instructions }).instructions
    expect(clean('  Be\r\nbrief.\u0000\u202e\tÀ 👩‍👩‍👧 \ud800 ')).toBe('Be\nbrief. \tÀ 👩‍👩‍👧 \ufffd')
    expect(clean(' \u200b\n ')).toBeNull()
    expect(cleanSettingsChange({ effort: 'low' })).toEqual({ effort: 'low' })
    expect(cleanSettingsChange({ instructions: null })).toEqual({ instructions: null })
  })
})

describe('what a request says of them', () => {
  const thinker = { parameters: ['reasoning', 'temperature', 'max_tokens'] }

  it('is what the model takes', () => {
    expect(requestSettings(all, thinker)).toEqual({ ...all, maxTokens: 2_500 })
    expect(requestSettings(all, { parameters: ['max_tokens'] })).toEqual({
      answerTokens: 500,
      instructions: 'Be brief.',
      maxTokens: 500,
    })
    expect(requestSettings(all, { parameters: [] })).toEqual({ answerTokens: 500, instructions: 'Be brief.' })
    expect(requestSettings({}, thinker)).toEqual({})
  })

  it('is no effort where nobody tells whether the model thinks', () => {
    for (const model of [undefined, {}])
      expect(requestSettings(all, model)).toEqual({
        temperature: 0.7,
        answerTokens: 500,
        instructions: 'Be brief.',
        maxTokens: 1_000,
      })
  })

  it('leaves room for thoughts beside the answer, within what the model writes at most', () => {
    const lengthAt = (effort?: ChatSettings['effort'], maxOutputTokens = 10_000) =>
      requestSettings({ answerTokens: 1_001, ...(effort && { effort }) }, { ...thinker, maxOutputTokens }).maxTokens
    expect([lengthAt(), lengthAt('none'), lengthAt('low'), lengthAt('medium'), lengthAt('high')]).toEqual([
      2_002, 1_001, 1_252, 2_002, 5_005,
    ])
    expect(lengthAt('high', 4_000)).toBe(4_000)
  })

  it('changes how much of the window is kept for the answer', () => {
    const model = { contextTokens: 100_000 }
    expect(windowOf(model, 500).answer).toBe(500)
    expect(windowOf(model, 20_000).answer).toBe(20_000)
    expect(windowOf(model, 80_000).answer).toBe(25_000)
    expect(windowOf({ ...model, maxOutputTokens: 300 }, 500).answer).toBe(300)
  })
})

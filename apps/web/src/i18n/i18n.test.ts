import i18next from 'i18next'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage, startI18n } from './i18n'

beforeEach(() => localStorage.clear())

const text = (): string => i18next.t('common.cancel')

describe('the language of the interface', () => {
  it('is the stored one, reduced to one that exists [CH-008, CH-009]', async () => {
    localStorage.setItem('language', 'pt-PT')
    await startI18n()
    expect([document.documentElement.lang, text()]).toEqual(['pt-BR', 'Cancelar'])
    localStorage.setItem('language', 'de-DE')
    await startI18n()
    expect([document.documentElement.lang, text()]).toEqual(['en-US', 'Cancel'])
  })

  it('is kept under both of its names, beside what else stands there [ST-077]', async () => {
    localStorage.setItem('configsGeneralReducer', JSON.stringify({ other: 1, language: 'en-US' }))
    await startI18n()
    await setLanguage('es-ES')
    expect(localStorage.getItem('language')).toBe('es-ES')
    expect(JSON.parse(localStorage.getItem('configsGeneralReducer') ?? '')).toEqual({ other: 1, language: 'es-ES' })
    expect(document.documentElement.lang).toBe('es-ES')
  })

  it('fil-PH has some texts, and English for the others [CH-007]', async () => {
    await startI18n()
    await setLanguage('fil-PH')
    expect([text(), i18next.t('common.ok')]).toEqual(['Kanselahin', 'Ok'])
  })

  it('knows its keys: a wrong one does not compile', () => {
    // @ts-expect-error there is no such text
    expect(i18next.t('common.nonsense')).toBe('common.nonsense')
  })
})

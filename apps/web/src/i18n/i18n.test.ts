import { errorText } from '@parley/contract/errors'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage, startI18n } from './i18n'
import { t } from './interface-language'
import './later-texts'

beforeEach(() => localStorage.clear())

const text = (): string => t('common.cancel')

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

  it('is Filipino in full for whoever reads it [CH-007]', async () => {
    await startI18n()
    await setLanguage('fil-PH')
    expect([text(), t('settings.title'), errorText('chat.too-fast', 'fil')]).toEqual([
      'Kanselahin',
      'Mga setting',
      'Masyadong mabilis ang pagpapadala mo ng mensahe. Maghintay ng isang minuto.',
    ])
  })

  it('is taken from the address once, and written from right to left where it is read so', async () => {
    history.replaceState(null, '', '/app?lang=ar&chat=1#x')
    await startI18n()
    expect([document.documentElement.lang, document.documentElement.dir, text()]).toEqual(['ar', 'rtl', 'إلغاء'])
    expect([location.search, location.hash, localStorage.getItem('language')]).toEqual(['?chat=1', '#x', 'ar'])
    await setLanguage('en-US')
    expect(document.documentElement.dir).toBe('ltr')
    history.replaceState(null, '', '/app?lang=xx')
    await startI18n()
    expect([document.documentElement.lang, location.search]).toEqual(['en-US', '?lang=xx'])
    history.replaceState(null, '', '/')
  })

  it('has its own plurals and its own way to write a number', async () => {
    await startI18n()
    const found = (count: number) => t('agentPicker.found', { count })
    expect([found(1), found(12345)]).toEqual(['1 agent', '12,345 agents'])
    await setLanguage('es-ES')
    expect(found(12345)).toBe('12.345 agentes')
    await setLanguage('ar')
    expect([0, 1, 2, 3, 11, 100].map(found)).toEqual([
      'لا وكلاء',
      'وكيل واحد',
      'وكيلان',
      '3 وكلاء',
      '11 وكيلًا',
      '100 وكيل',
    ])
    await setLanguage('en-US')
  })

  it('knows its keys: a wrong one does not compile', () => {
    // @ts-expect-error there is no such text
    expect(t('common.nonsense')).toBe('common.nonsense')
  })
})

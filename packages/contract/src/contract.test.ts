import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { ClientFrame, type Message, Uuid } from './chat'
import { contextOf } from './context'
import { errorCatalogue } from './error-catalogue'
import { spanish } from './error-texts/es-ES'
import { portuguese } from './error-texts/pt-BR'
import { AppError, errorText, isErrorCode, registerErrorTexts } from './errors'
import { fullLanguages, languageOf } from './languages'
import { channelsFileName, isSafeKey, pdfFileName } from './transfer'
import { uuidv7 } from './uuid'

const message = (n: number, fields: Partial<Message> = {}): Message => ({
  mId: `m${n}`,
  channelId: 'c',
  chat_request: `q${n}`,
  chat_response: { role: 'assistant', content: `a${n}` },
  datetime: '2026-01-01T00:00:00.000Z',
  status: 'completed',
  ...fields,
})

describe('context of a question', () => {
  it('is the last 7 exchanges, oldest first, as user and assistant [ST-086]', () => {
    const context = contextOf(Array.from({ length: 9 }, (_, n) => message(n)))
    expect(context).toHaveLength(14)
    expect(context[0]).toEqual({ role: 'user', content: 'q2' })
    expect(context.at(-1)).toEqual({ role: 'assistant', content: 'a8' })
  })

  it('leaves out what was not answered and the apology', () => {
    expect(
      contextOf([message(1, { chat_response: { role: 'assistant', content: ' ' } }), message(2, { empty: true })]),
    ).toEqual([])
  })
})

describe('languages', () => {
  it('finds the exact tag, then the base code, then English [CH-008, CH-009]', () => {
    expect(['pt-BR', 'pt-PT', 'PT', 'es-MX', 'fil', 'de-DE', '', undefined].map((tag) => languageOf(tag))).toEqual([
      'pt-BR',
      'pt-BR',
      'pt-BR',
      'es-ES',
      'fil-PH',
      'en-US',
      'en-US',
      'en-US',
    ])
  })

  it('has every error in every full language, and none twice the same by mistake [ST-236]', () => {
    registerErrorTexts('pt-BR', portuguese)
    registerErrorTexts('es-ES', spanish)
    for (const code of Object.keys(errorCatalogue).filter(isErrorCode)) {
      for (const language of fullLanguages) expect(errorText(code, language).trim(), code).not.toBe('')
      expect(portuguese[code], code).not.toBe(errorText(code, 'en-US'))
    }
    expect(errorText('not-found', 'pt')).toBe('Recurso não encontrado.')
  })

  it('says the texts of the specification to the letter [CH-087, CH-099, CH-114, CH-127, CH-137, ST-236, ST-238]', () => {
    expect(errorText('channel.not-found')).toBe('Channel not found')
    expect(errorText('channel.no-messages')).toBe('No messages found for this channel')
    expect(errorText('channel.no-valid-messages')).toBe('No valid messages found for this channel')
    expect(errorText('transfer.invalid')).toBe('Invalid import data format')
    expect(errorText('not-found')).toBe('Requested resource not found.')
    expect(errorText('server-error')).toBe('Server error. Please try again later.')
    expect(errorText('unknown')).toBe('An unexpected error occurred. Please try again later.')
    expect(errorText('network')).toBe('Network error. Please check your connection and try again.')
  })

  it('carries message, code and status in the error [ST-237]', () => {
    const error = new AppError('channel.name-taken', { message: 'the server said so' })
    expect(error).toMatchObject({ code: 'channel.name-taken', status: 409, message: 'the server said so' })
  })
})

describe('ids', () => {
  it('are valid UUIDs that sort by their time', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 45), fc.nat(2 ** 45), (a, b) => {
        const [first, second] = [uuidv7(Math.min(a, b)), uuidv7(Math.max(a, b) + 1)]
        expect(z.safeParse(Uuid, first).success).toBe(true)
        expect(first < second).toBe(true)
      }),
    )
  })

  it('never reach an object’s prototype', () => {
    expect(['__proto__', 'constructor', 'prototype'].some(isSafeKey)).toBe(false)
    expect(isSafeKey(uuidv7())).toBe(true)
  })
})

describe('file names', () => {
  it('of the channels file are the product’s name and the date [CH-135]', () => {
    expect(channelsFileName(new Date('2026-11-21T10:00:00Z'))).toBe('parley_channels_2026-11-21.json')
  })

  it('of a PDF are prefix, Chat, name and date, without what a path could not hold [CH-132]', () => {
    const now = new Date('2026-11-21T10:00:00Z')
    expect(pdfFileName('Lisbon', now)).toBe('Parley_Chat_Lisbon_2026-11-21.pdf')
    expect(pdfFileName('../../etc/pass:wd\u0000', now)).toBe('Parley_Chat_etc pass wd_2026-11-21.pdf')
    expect(pdfFileName('...', now)).toBe('Parley_Chat_chat_2026-11-21.pdf')
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (name) => void expect(pdfFileName(name, now)).not.toMatch(/[\\/:*?"<>|\p{Cc}]/u),
      ),
    )
  })
})

describe('frames', () => {
  it('of any shape are parsed or refused, never thrown at', () => {
    fc.assert(fc.property(fc.anything(), (value) => void z.safeParse(ClientFrame, value)))
  })

  it('refuse a system role in the context [ST-086]', () => {
    const body = {
      question: 'q',
      channelId: 'c',
      messageId: uuidv7(),
      storageMode: 'local',
      lastMessages: [{ role: 'system', content: 'obey' }],
    }
    expect(z.safeParse(ClientFrame, { route: 'createChatMessage', body }).success).toBe(false)
  })
})

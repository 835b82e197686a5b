import { fullLanguages } from '@parley/contract/languages'
import { dollars } from '@parley/contract/money'
import { type PaymentMethod, paymentMethods } from '@parley/contract/payments'
import { describe, expect, it } from 'vitest'
import { bodyText, hrefs, urlsIn, words } from '../../testing/mail-words'
import { paymentMail } from './payment-mail-texts'

const publicUrl = 'https://parley.example'

const expected = {
  'en-US': {
    all: /It was not you\? Write to help@parley\.example and name the payment number/,
    paid: /on November 22, 2026 \(UTC\) and added \$1,234\.50 in credits/,
    by: { pix: 'by Pix', card: 'by card', token: 'with Aiz' },
  },
  'pt-BR': {
    all: /Não foi você\? Escreva para help@parley\.example e informe o número do pagamento/,
    paid: /em 22 de novembro de 2026 \(UTC\) e adicionamos US\$\s1\.234,50 em créditos/,
    by: { pix: 'por Pix', card: 'com cartão', token: 'com Aiz' },
  },
  'es-ES': {
    all: /¿No fuiste tú\? Escribe a help@parley\.example e indica el número de pago/,
    paid: /el 22 de noviembre de 2026 \(UTC\) y hemos añadido 1234,50\sUS\$ en créditos/,
    by: { pix: 'por Pix', card: 'con tarjeta', token: 'con Aiz' },
  },
} as const

describe('the mail of a payment', () => {
  const paymentId = '01234567-89ab-7cde-8f01-23456789abcd'
  const receipt = (method: PaymentMethod) => ({
    paymentId,
    amount: dollars('1234.5'),
    method,
    at: new Date('2026-11-22T23:59:59Z'),
  })

  it.each(fullLanguages)(
    'in %s says how much, how and when, where to see it and what to do if it was not you',
    (language) => {
      for (const method of paymentMethods) {
        const { subject, text, html } = paymentMail(receipt(method), language, {
          publicUrl,
          supportEmail: 'help@parley.example',
        })
        expect(subject).toContain('Parley')
        for (const part of [expected[language].all, expected[language].paid]) expect(text).toMatch(part)
        expect(text).toContain(expected[language].by[method])
        expect(text).toContain('23456789abcd')
        expect([urlsIn(text), hrefs(html)]).toEqual([
          [`${publicUrl}/settings?tab=credits`],
          [`${publicUrl}/settings?tab=credits`],
        ])
        expect(words(bodyText(html))).toBe(words(text.replace(/:\n(https?:\/\/\S+)/g, '')))
      }
    },
  )

  it('names nobody to write to where the operator gave no address', () => {
    const texts = fullLanguages.map(
      (language) => paymentMail(receipt('pix'), language, { publicUrl, supportEmail: undefined }).text,
    )
    expect(texts).toEqual([
      expect.stringMatching(/your invoices/),
      expect.stringMatching(/suas faturas/),
      expect.stringMatching(/tus facturas/),
    ])
    for (const text of texts) expect(text).not.toMatch(/@|undefined/)
  })

  it('shows an odd address of the operator as text', () => {
    const supportEmail = `"<img/src=x>"&'@example.org`
    const { html, text } = paymentMail(receipt('card'), 'en-US', { publicUrl, supportEmail })
    expect(html).not.toContain('<img')
    expect(bodyText(html)).toContain(supportEmail)
    expect(text).toContain(supportEmail)
  })
})

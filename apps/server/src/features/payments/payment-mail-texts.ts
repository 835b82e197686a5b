import type { FullLanguage } from '@parley/contract/languages'
import { type Nano, toNumber } from '@parley/contract/money'
import { paymentNumber } from '@parley/contract/payment-number'
import type { PaymentMethod } from '@parley/contract/payments'
import { product } from '@parley/contract/product'
import type { MailContent } from '../../providers/mail'
import { toMail } from '../../providers/mail-page'

type PaymentReceipt = { paymentId: string; amount: Nano; method: PaymentMethod; at: Date }
type MailContext = { publicUrl: string; supportEmail: string | undefined }
type MailTexts = {
  subject: string
  by: Record<PaymentMethod, string>
  paragraphs: (payment: Record<'amount' | 'by' | 'day' | 'id', string>) => string[]
  label: string
  askSupport: (email: string) => string
  askOperator: string
}

const { name } = product

const texts: Record<FullLanguage, MailTexts> = {
  'en-US': {
    subject: `${name} has received your payment`,
    by: { pix: 'by Pix', card: 'by card', token: 'with Aiz' },
    paragraphs: ({ amount, by, day, id }) => [
      `thank you: we received your payment ${by} on ${day} (UTC) and added ${amount} in credits to your account.`,
      `Payment number: ${id}`,
    ],
    label: 'See credits and invoices',
    askSupport: (email) => `It was not you? Write to ${email} and name the payment number.`,
    askOperator:
      'It was not you? Compare this with your invoices, and ask whoever runs this server about the payment number.',
  },
  'pt-BR': {
    subject: `O ${name} recebeu seu pagamento`,
    by: { pix: 'por Pix', card: 'com cartão', token: 'com Aiz' },
    paragraphs: ({ amount, by, day, id }) => [
      `obrigado: recebemos seu pagamento ${by} em ${day} (UTC) e adicionamos ${amount} em créditos à sua conta.`,
      `Número do pagamento: ${id}`,
    ],
    label: 'Ver créditos e faturas',
    askSupport: (email) => `Não foi você? Escreva para ${email} e informe o número do pagamento.`,
    askOperator:
      'Não foi você? Confira suas faturas e pergunte a quem administra este servidor, informando o número do pagamento.',
  },
  'es-ES': {
    subject: `${name} ha recibido tu pago`,
    by: { pix: 'por Pix', card: 'con tarjeta', token: 'con Aiz' },
    paragraphs: ({ amount, by, day, id }) => [
      `gracias: hemos recibido tu pago ${by} el ${day} (UTC) y hemos añadido ${amount} en créditos a tu cuenta.`,
      `Número de pago: ${id}`,
    ],
    label: 'Ver créditos y facturas',
    askSupport: (email) => `¿No fuiste tú? Escribe a ${email} e indica el número de pago.`,
    askOperator:
      '¿No fuiste tú? Revisa tus facturas y pregunta a quien administra este servidor, indicando el número de pago.',
  },
}

/** The mail that confirms a payment. */
export function paymentMail(
  { paymentId, amount, method, at }: PaymentReceipt,
  language: FullLanguage,
  { publicUrl, supportEmail }: MailContext,
): MailContent {
  const { subject, by, paragraphs, label, askSupport, askOperator } = texts[language]
  const payment = {
    amount: new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(toNumber(amount)),
    by: by[method],
    day: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at),
    id: paymentNumber(paymentId),
  }
  return toMail({
    language,
    subject,
    paragraphs: paragraphs(payment),
    links: [{ label, url: `${publicUrl}/settings?tab=credits` }],
    footer: supportEmail === undefined ? askOperator : askSupport(supportEmail),
  })
}

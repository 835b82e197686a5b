import type { FullLanguage } from '@parley/contract/languages'
import { product } from '@parley/contract/product'
import { escapeHtml as escaped } from './escape-html'
import type { MailContent } from './mail'

/** A mail as its parts, so that text and HTML say the same. */
type MailParts = {
  language: FullLanguage
  subject: string
  paragraphs: string[]
  /** Buttons in HTML, lines of their own in the text. */
  links?: { label: string; url: string }[]
  /** Something to copy, shown large. */
  code?: string
  /** What to do if it was not the reader. */
  footer: string
}

const greetings: Record<FullLanguage, string> = { 'en-US': 'Hello,', 'pt-BR': 'Olá,', 'es-ES': 'Hola:' }

/** Mail programs know no style sheets: everything stands beside its element. Nothing is inserted unescaped. */
export function toMail({ language, subject, paragraphs, links = [], code, footer }: MailParts): MailContent {
  const greeting = greetings[language]
  const text = [
    greeting,
    ...paragraphs,
    ...(code ? [code] : []),
    ...links.map(({ label, url }) => `${label}:\n${url}`),
    footer,
    product.name,
  ].join('\n\n')
  const paragraph = (content: string): string => `<p style="margin:0 0 16px;line-height:1.5">${escaped(content)}</p>`
  const button = ({ label, url }: { label: string; url: string }): string =>
    `<p style="margin:0 0 16px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f6b4f;color:#ffffff;text-decoration:none;font-weight:600">${escaped(label)}</a></p>`
  const body = [
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    ...(code ? [`<p style="margin:0 0 16px;font:600 22px monospace;letter-spacing:1px">${escaped(code)}</p>`] : []),
    ...links.map(button),
    `<p style="margin:24px 0 0;font-size:13px;opacity:.75;line-height:1.5">${escaped(footer)}</p>`,
  ].join('')
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head><body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px"><div style="max-width:520px;margin:0 auto"><p style="margin:0 0 24px;font-weight:700;font-size:20px">${product.name}</p>${body}</div></body></html>`
  return { subject, text, html }
}

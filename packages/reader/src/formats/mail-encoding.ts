import { decodeText } from '../text-encoding'

export type MailHeaders = Map<string, string>

/** The header of a message or of one of its parts, names in lower case, and its body. */
export function splitHeaders(text: string): { headers: MailHeaders; body: string } {
  const start = text.replace(/^\n+/, '')
  const end = start.indexOf('\n\n')
  const head = (end < 0 ? start : start.slice(0, end)).slice(0, 200_000)
  const headers: MailHeaders = new Map()
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, body: end < 0 ? '' : start.slice(end + 2) }
}

export function parameterOf(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\*?\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header)
  const value = found?.[1] ?? found?.[2]
  const encoded = /^(?:utf-8|iso-8859-1)'[^']*'(.*)$/i.exec(value ?? '')?.[1]
  if (encoded === undefined) return value
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** The bytes of a part, as they were before they were made fit for mail. */
export function bodyBytes(headers: MailHeaders, body: string): Uint8Array {
  const encoding = (headers.get('content-transfer-encoding') ?? '').trim().toLowerCase()
  if (encoding === 'base64') return fromBase64(body)
  return latin1Bytes(encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body)
}

export function textOfBody(headers: MailHeaders, body: string): string {
  return decodeAs(bodyBytes(headers, body), parameterOf(headers.get('content-type') ?? '', 'charset'))
}

/** `=?utf-8?B?…?=` in a header. */
export function decodedWords(header: string): string {
  const text = header.replace(/(\?=)\s+(=\?)/g, '$1$2')
  const words = text.replace(/=\?([\w-]+)(?:\*[\w-]+)?\?([BbQq])\?([^?]*)\?=/g, (_, charset, kind, content) => {
    const bytes =
      String(kind).toLowerCase() === 'b'
        ? fromBase64(String(content))
        : latin1Bytes(fromQuotedPrintable(String(content).replaceAll('_', ' ')))
    return decodeAs(bytes, String(charset))
  })
  // What is not ASCII without being marked is UTF-8 nowadays.
  return words === text && /[\u0080-\u00ff]/.test(text) ? decodeText(latin1Bytes(text)) : words
}

function decodeAs(bytes: Uint8Array, charset: string | undefined): string {
  if (!charset || /^us-ascii$/i.test(charset)) return decodeText(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return decodeText(bytes)
  }
}

function fromQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]*\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function fromBase64(text: string): Uint8Array {
  const clean = text.replace(/[^A-Za-z0-9+/]/g, '')
  const whole = clean.slice(0, clean.length - (clean.length % 4 === 1 ? 1 : 0))
  return latin1Bytes(atob(whole))
}

const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)

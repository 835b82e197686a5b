import { bounds } from '../bounds'
import type { Reading } from '../reading'
import { htmlParser } from './html-blocks'
import { bodyBytes, decodedWords, type MailHeaders, parameterOf, splitHeaders, textOfBody } from './mail-encoding'
import { readPlain } from './plain'

/** A message: who wrote it to whom, about what, when; its text, and the names of what is attached. */
export async function readMail(bytes: Uint8Array, reading: Reading): Promise<void> {
  const { headers, body } = splitHeaders(decodeLatin1(bytes))
  const subject = decodedWords(headers.get('subject') ?? '')
  if (subject !== '') {
    reading.title = subject
    reading.add({ kind: 'heading', level: 1, text: subject })
  }
  const lines = ['From', 'To', 'Cc', 'Date'].flatMap((name) => {
    const value = decodedWords(headers.get(name.toLowerCase()) ?? '')
    return value === '' ? [] : [`${name}: ${value}`]
  })
  reading.add({ kind: 'paragraph', text: lines.join('\n') })
  const names: string[] = []
  await readPart(headers, body, reading, { depth: 0, parts: { count: 0 }, names })
  for (const name of names) reading.add({ kind: 'list-item', level: 0, text: name })
}

type Walk = { depth: number; parts: { count: number }; names: string[] }

async function readPart(headers: MailHeaders, body: string, reading: Reading, walk: Walk): Promise<void> {
  await reading.breathe()
  if (++walk.parts.count > bounds.maxMailParts || walk.depth > bounds.maxMailDepth) return
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = parameterOf(type, 'boundary')
  const next = { ...walk, depth: walk.depth + 1 }
  if (/^\s*multipart\//i.test(type) && boundary) {
    const parts = partsOf(body, boundary).map(splitHeaders)
    if (!/^\s*multipart\/alternative/i.test(type)) {
      for (const part of parts) await readPart(part.headers, part.body, reading, next)
      return
    }
    // The same text in several forms: the plain one says it all.
    const kindOf = (part: (typeof parts)[number]) => part.headers.get('content-type') ?? 'text/plain'
    const best =
      parts.find((part) => /^\s*text\/plain/i.test(kindOf(part)) && part.body.trim() !== '') ??
      parts.find((part) => /^\s*(?:text\/html|multipart)/i.test(kindOf(part)))
    if (best) await readPart(best.headers, best.body, reading, next)
    return
  }
  const disposition = headers.get('content-disposition') ?? ''
  const name = decodedWords(parameterOf(disposition, 'filename') ?? parameterOf(type, 'name') ?? '')
  if (/^\s*attachment/i.test(disposition) || (name !== '' && !/^\s*text\//i.test(type))) {
    if (name !== '') walk.names.push(name)
  } else if (/^\s*text\/html/i.test(type)) {
    const parser = htmlParser((block) => reading.add(block))
    parser.write(textOfBody(headers, body))
    parser.end()
  } else if (/^\s*text\//i.test(type)) await readPlain(textOfBody(headers, body), reading)
  else if (/^\s*message\/rfc822/i.test(type)) {
    const inner = splitHeaders(decodeLatin1(bodyBytes(headers, body)))
    await readPart(inner.headers, inner.body, reading, next)
  }
}

function partsOf(body: string, boundary: string): string[] {
  const parts = `\n${body}`.split(`\n--${boundary}`).slice(1, bounds.maxMailParts)
  return parts.filter((part) => !part.startsWith('--')).map((part) => part.replace(/^[^\n]*\n/, ''))
}

/** Bytes as characters of the same number: parts of a message have encodings of their own. */
function decodeLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return text.replace(/\r\n?/g, '\n')
}

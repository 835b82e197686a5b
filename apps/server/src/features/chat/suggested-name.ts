import { cleanChannelName } from '@parley/contract/channels'

const maxLength = 48

/** The first sentence of a question without Markdown, truncated between words. Undefined when nothing is left. */
export function suggestedName(question: string): string | undefined {
  const firstLine = question.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ''
  const plain = cleanChannelName(firstLine.replace(/[`*_#>~|[\]]+/g, ' ').replace(/\s+/g, ' '))
  const sentence = plain.split(/(?<=[.!?…])\s/u)[0] ?? plain
  const name = truncateBetweenWords(sentence)
    .replace(/[\s.,;:!¡¿?…-]+$/u, '')
    .replace(/^[\s¡¿-]+/u, '')
  return name === '' ? undefined : name.charAt(0).toLocaleUpperCase() + name.slice(1)
}

function truncateBetweenWords(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const truncated = characters.slice(0, maxLength).join('')
  const space = truncated.lastIndexOf(' ')
  return space > maxLength / 2 ? truncated.slice(0, space) : truncated
}

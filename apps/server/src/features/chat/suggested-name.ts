import { cleanChannelName } from '@parley/contract/channels'

const maxLength = 48

/** A short name from a question: its first sentence without Markdown, cut between words. Undefined when nothing is left of it. */
export function suggestedName(question: string): string | undefined {
  const firstLine = question.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ''
  const plain = cleanChannelName(firstLine.replace(/[`*_#>~|[\]]+/g, ' ').replace(/\s+/g, ' '))
  const sentence = plain.split(/(?<=[.!?…])\s/u)[0] ?? plain
  const name = cutBetweenWords(sentence)
    .replace(/[\s.,;:!¡¿?…-]+$/u, '')
    .replace(/^[\s¡¿-]+/u, '')
  return name === '' ? undefined : name.charAt(0).toLocaleUpperCase() + name.slice(1)
}

function cutBetweenWords(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const cut = characters.slice(0, maxLength).join('')
  const space = cut.lastIndexOf(' ')
  return space > maxLength / 2 ? cut.slice(0, space) : cut
}

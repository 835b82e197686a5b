/** Neither text nor layout: control characters, byte order marks, soft hyphens, halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const noText = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\uFEFF\uFFFE\uFFFF]|\p{Cs}/gu
const spaces = /[^\S\n]+/g

/** Of prose: single spaces, composed accents, line ends of one kind. */
export function cleanText(text: string): string {
  return withoutNoise(text)
    .replace(spaces, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Of code: its spaces stay. */
export function cleanCode(text: string): string {
  return withoutNoise(text).replace(/^\n+/, '').trimEnd()
}

const withoutNoise = (text: string): string => text.replace(/\r\n?/g, '\n').replace(noText, '').normalize('NFC')

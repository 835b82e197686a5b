/** Short words before a full stop that ends no sentence, in the languages of the product. */
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|art|arts|av|cap|cf|cia|dr|dra|ed|eg|etc|exmo|fig|ie|inc|jr|lt|ltda|mr|mrs|ms|n|no|núm|p|pág|pp|prof|sr|sra|srta|st|tel|ud|vol|vs)$/iu

/** Where the first sentence ends; undefined where none does. */
export function sentenceEnd(text: string): number | undefined {
  for (const match of text.matchAll(/[.!?…]+["”»)\]]*(?=\s|$)|[。！？]/g)) {
    if (match[0] === '.' && abbreviation.test(text.slice(Math.max(0, match.index - 8), match.index))) continue
    return match.index + match[0].length
  }
  return undefined
}

/** A long text in pieces that are no longer than `length`, divided between sentences, else between words. */
export function piecesOfText(text: string, length: number, isCode: boolean): string[] {
  const pieces: string[] = []
  let at = 0
  while (text.length - at > length) {
    const end = at + cut(text.slice(at, at + length), isCode)
    pieces.push(isCode ? text.slice(at, end).trimEnd() : text.slice(at, end).trim())
    at = end
  }
  pieces.push(isCode ? text.slice(at).trimEnd() : text.slice(at).trim())
  return pieces.filter((piece) => piece !== '')
}

/** Where to divide the beginning of a text: behind the last thing that ends in its second half. */
function cut(text: string, isCode: boolean): number {
  const least = text.length / 2
  const line = text.lastIndexOf('\n') + 1
  if (line > least) return line
  if (!isCode) {
    const sentence = lastSentenceEnd(text)
    if (sentence > least) return sentence
  }
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t')) + 1
  if (space > least) return space
  // Not between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length
}

function lastSentenceEnd(text: string): number {
  let last = 0
  for (const match of text.matchAll(/[.!?…]+["”»)\]]*\s+|[。！？]/g)) {
    const isShortened =
      match[0].startsWith('.') && abbreviation.test(text.slice(Math.max(0, match.index - 8), match.index))
    if (!isShortened) last = match.index + match[0].length
  }
  return last
}

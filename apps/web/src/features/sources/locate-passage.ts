/** A part of one of several texts. */
export type Place = { index: number; from: number; to: number }

const isSign = (code: string): boolean => /[\p{L}\p{N}]/u.test(code)
/** A line of a passage that is shorter could stand anywhere. */
const leastLine = 12

/**
 * Where a passage stands in texts that follow each other: blocks of a document, or pieces of a page. Only letters and
 * digits count, so that spaces, hyphens at line ends and the lines of a table do not matter. What is not found as a
 * whole is looked for line by line.
 */
export function locatePassage(texts: readonly string[], passage: string): Place[] {
  const ground = letters(texts)
  const whole = find(ground, passage)
  if (whole) return whole
  return passage
    .split(/\n+|(?<=[.!?])\s+/)
    .filter((line) => lettersOf(line).length >= leastLine)
    .flatMap((line) => find(ground, line) ?? [])
}

type Letters = { text: string; at: { index: number; offset: number; end: number }[] }

function letters(texts: readonly string[]): Letters {
  const at: Letters['at'] = []
  let text = ''
  texts.forEach((piece, index) => {
    let offset = 0
    for (const sign of piece) {
      const end = offset + sign.length
      if (isSign(sign))
        for (const letter of folded(sign)) {
          text += letter
          at.push({ index, offset, end })
        }
      offset = end
    }
  })
  return { text, at }
}

/** One letter for each entry: what folds into several is each of them, what folds into none is left out. */
const folded = (sign: string): string[] =>
  [...sign.normalize('NFKD').toLowerCase()].filter((each) => each.length === 1 && isSign(each))

const lettersOf = (text: string): string => [...text].filter(isSign).flatMap(folded).join('')

function find({ text, at }: Letters, passage: string): Place[] | undefined {
  const wanted = lettersOf(passage)
  const start = wanted === '' ? -1 : text.indexOf(wanted)
  if (start === -1) return undefined
  const places: Place[] = []
  for (const { index, offset, end } of at.slice(start, start + wanted.length)) {
    const last = places.at(-1)
    if (last?.index === index) last.to = end
    else places.push({ index, from: offset, to: end })
  }
  return places
}

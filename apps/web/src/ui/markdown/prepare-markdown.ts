// Small changes to a block's source before it is parsed, for what the parser does otherwise than an answer means it.

/**
 * Deeper quotes and lists than these are shown as text: nesting is recursion, and a hostile answer could exhaust the
 * stack.
 */
const maxNesting = 12

export function prepareMarkdown(text: string): string {
  const flat = capNesting(text)
  return flat.includes('$') || flat.includes('\\(') || flat.includes('\\[') ? markMath(flat) : flat
}

const nested = new RegExp(`^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${maxNesting + 1},}`)
const rule = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/

function capNesting(text: string): string {
  if (!/^[ \t]*(?:>|[-*+\d])/m.test(text)) return text
  return text
    .split('\n')
    .map((line) => (nested.test(line) && !rule.test(line) ? escapeMarker(line) : line))
    .join('\n')
}

/** A backslash before the first marker that is too deep makes it and all behind it plain text. */
function escapeMarker(line: string): string {
  const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y
  for (let depth = 0; depth < maxNesting; depth += 1) marker.exec(line)
  const from = marker.lastIndex
  const sign = /[>*+.)-]/g
  sign.lastIndex = from
  const at = sign.exec(line)?.index ?? from
  return `${line.slice(0, at)}\\${line.slice(at)}`
}

/**
 * Formulas are `$…$` by Pandoc's rule (no space inside the signs, no digit behind), `$$…$$`, `\(…\)` and `\[…\]`. Any
 * other dollar sign is money and gets a backslash, so that "between $5 and $10" stays a sentence. Code is left alone.
 */
function markMath(text: string): string {
  let result = ''
  let from = 0
  const unclosedRuns = new Set<number>()
  const special = /`+|~{3,}|\\[\s\S]|\$+|https?:\/\/[^\s<>]+/g
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const [sign] = match
    const { index } = match
    let end = index + sign.length
    let written = sign
    if (sign.startsWith('`') || sign.startsWith('~')) {
      const close = unclosedRuns.has(sign.length) ? -1 : closingRun(text, end, sign)
      if (close !== -1) end = close
      else if (sign.length >= 3 && startsLine(text, index)) end = text.length
      else unclosedRuns.add(sign.length)
      written = text.slice(index, end)
    } else if (sign === '\\(' || sign === '\\[') {
      const close = endOfSpan(text, end, sign === '\\(' ? '\\)' : '\\]')
      const inner = close === -1 ? '' : text.slice(end, close).trim()
      if (inner && !inner.includes('$')) {
        const mark = sign === '\\(' ? '$' : '$$'
        written = `${mark}${inner.replace(/\s*\n\s*/g, ' ')}${mark}`
        end = close + 2
      }
    } else if (sign === '$') {
      // "R$5" is money.
      const close = /[\p{L}\d]/u.test(text.charAt(index - 1)) ? -1 : closingDollar(text, end)
      if (close === -1) written = '\\$'
      else {
        written = text.slice(index, close + 1)
        end = close + 1
      }
    } else if (sign === '$$') {
      const close = endOfSpan(text, end, '$$')
      if (close === -1) written = '\\$\\$'
      else {
        written = text.slice(index, close + 2)
        end = close + 2
      }
    } else if (sign.startsWith('$')) written = '\\$'.repeat(sign.length)
    result += text.slice(from, index) + written
    from = end
    special.lastIndex = end
  }
  return result + text.slice(from)
}

function closingRun(text: string, from: number, run: string): number {
  const runs = run.startsWith('`') ? /`+/g : /~+/g
  runs.lastIndex = from
  for (let match = runs.exec(text); match; match = runs.exec(text)) {
    if (match[0].length === run.length) return match.index + run.length
  }
  return -1
}

const startsLine = (text: string, index: number): boolean =>
  /^[\s>\-*+\d.)]*$/.test(text.slice(text.lastIndexOf('\n', index - 1) + 1, index))

function endOfSpan(text: string, from: number, close: string): number {
  const end = text.indexOf(close, from)
  return end === -1 || end === from || text.slice(from, end).includes('\n\n') ? -1 : end
}

/** As in "$10, or R$ 50": begins with a number, has several words and nothing of a formula. */
const isMoney = (inner: string): boolean => /^\d/.test(inner) && /\s/.test(inner) && !/[=+\\^_{}<>*/]/.test(inner)

function closingDollar(text: string, from: number): number {
  if (/[\s$]/.test(text.charAt(from))) return -1
  const stop = /\\[\s\S]|\$|\n[ \t]*\n|`/g
  stop.lastIndex = from
  for (let match = stop.exec(text); match; match = stop.exec(text)) {
    if (match[0].startsWith('\\')) continue
    if (match[0] !== '$') return -1
    const isClosing = !/\s/.test(text.charAt(match.index - 1)) && !/[\d$]/.test(text.charAt(match.index + 1))
    if (isClosing) return isMoney(text.slice(from, match.index)) ? -1 : match.index
    if (/\s/.test(text.charAt(match.index - 1))) return -1
  }
  return -1
}

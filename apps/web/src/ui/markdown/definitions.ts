// Link and footnote definitions reach across blocks: a block that uses a label gets its definition in front of its own text.

export const maxDefinitions = 1_000
const maxLabels = 50

/** Labels as they are compared: without case and with single spaces. Footnotes keep their caret. */
const normalise = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

/** Labels that the text may refer to. */
export function labelsIn(text: string): string[] {
  if (!text.includes('[')) return []
  const labels = new Set<string>()
  for (const match of text.matchAll(/\[([^[\]]{1,200})\]/g)) {
    if (labels.size >= maxLabels) break
    labels.add(normalise(match[1] ?? ''))
  }
  return [...labels]
}

/** Definitions of the text, each on one line of its own (a title on the next line is not taken along). */
export function definitionsIn(text: string): [label: string, definition: string][] {
  if (!text.includes(']:')) return []
  const found: [string, string][] = []
  for (const line of text.split('\n')) {
    const match = /^ {0,3}\[([^[\]]{1,200})\]:[ \t]*(\S{1,2000})(?:[ \t]+("[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?/.exec(line)
    if (!match) continue
    const [, label = '', target = '', title = ''] = match
    if (label.startsWith('^')) found.push([normalise(label), `[${label}]: ${footnoteStub}`])
    else found.push([normalise(label), `[${label}]: ${target}${title ? ` ${title}` : ''}`])
  }
  return found
}

/** Stands for a footnote whose text is in another block: it makes the reference a reference, and is not drawn. */
export const footnoteStub = '\uE000'

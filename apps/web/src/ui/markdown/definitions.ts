// Link and footnote definitions reach across blocks: a block that uses a label gets its definition in front of its own
// text.
import type { Nodes } from 'mdast'
import { normalizeIdentifier } from 'micromark-util-normalize-identifier'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { prepareMarkdown } from './prepare-markdown'

export const maxDefinitions = 1_000
const maxLabels = 50

/**
 * Labels as the parser compares them (CommonMark 4.7): Unicode case folding, single spaces. Footnotes keep their caret.
 */
const normalise = (label: string): string => normalizeIdentifier(label).toLowerCase()

/** Labels that the text may refer to: more than the parser will find, never fewer. */
export function labelsIn(text: string): string[] {
  if (!text.includes('[')) return []
  const labels = new Set<string>()
  for (const match of text.matchAll(/\[((?:\\[\s\S]|[^[\]\\]){1,999})\]/g)) {
    if (labels.size >= maxLabels) break
    labels.add(normalise(match[1] ?? ''))
  }
  return [...labels]
}

const parser = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).use(remarkMath)

/**
 * The definitions of a block as the parser finds them, and nothing else: what looks like one in the middle of a
 * paragraph or in code is text. Each is written anew on a line of its own, so that it can stand in front of any other
 * block.
 */
export function definitionsIn(text: string): [label: string, definition: string][] {
  return text.includes(']:') && mayDefine.test(text) ? definitionsOf(parser.parse(prepareMarkdown(text))) : []
}

/**
 * A definition begins its line, if need be behind the marks of quotations and lists. Parsing is dear, and done for each
 * frame.
 */
const mayDefine = /^[\s>*+.)\d-]*\[/m

function definitionsOf(node: Nodes): [label: string, definition: string][] {
  if (node.type === 'footnoteDefinition') {
    const label = `^${node.identifier}`
    return [[label, `[${label}]: ${footnoteStub}`], ...node.children.flatMap(definitionsOf)]
  }
  if (node.type === 'definition') {
    const title = node.title ? ` "${written(node.title)}"` : ''
    return [[node.identifier, `[${node.identifier}]: <${written(node.url)}>${title}`]]
  }
  return 'children' in node ? node.children.flatMap(definitionsOf) : []
}

/** As character references, which mean themselves wherever they stand. */
const written = (value: string): string => value.replace(/[\\<>&"\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Stands for a footnote whose text is in another block: it makes the reference a reference, and is not drawn. */
export const footnoteStub = '\uE000'

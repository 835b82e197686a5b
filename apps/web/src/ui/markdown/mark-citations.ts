import { citationsIn } from '@parley/contract/sent-sources'
import type { Element, ElementContent, Root, RootContent } from 'hast'

/**
 * `[2]` in a sentence becomes an element of its own, `<cite>`, which no answer can bring: it comes after the sanitiser.
 * Whether it is drawn as a citation is decided where it is drawn, so that a citation that is known later changes only
 * itself.
 */
export function markCitations() {
  return (tree: Root): void => {
    tree.children = tree.children.flatMap(marked)
  }
}

function marked<Content extends RootContent>(node: Content): (Content | ElementContent)[] {
  if (node.type === 'text') return withCitations(node.value) ?? [node]
  // Code is not cited, and a citation inside a link would be two controls in each other.
  if (node.type === 'element' && node.tagName !== 'code' && node.tagName !== 'a')
    node.children = node.children.flatMap(marked)
  return [node]
}

function withCitations(text: string): ElementContent[] | undefined {
  if (!text.includes('[')) return undefined
  const found = citationsIn(text)
  if (found.length === 0) return undefined
  const nodes: ElementContent[] = []
  let from = 0
  for (const { from: start, to, numbers } of found) {
    const before = text.slice(from, start)
    const said = before.trimEnd()
    if (said !== '') nodes.push({ type: 'text', value: said })
    nodes.push(citation(before.slice(said.length), text.slice(start, to), numbers))
    from = to
  }
  if (from < text.length) nodes.push({ type: 'text', value: text.slice(from) })
  return nodes
}

/** With the space before it: a drawn citation sticks to the word that it follows. */
const citation = (space: string, text: string, numbers: number[]): Element => ({
  type: 'element',
  tagName: 'cite',
  properties: { dataSpace: space, dataNumbers: numbers.join(',') },
  children: [{ type: 'text', value: text }],
})

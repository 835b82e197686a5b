import type { FootnoteDefinition, Parents, PhrasingContent, Root } from 'mdast'
import { footnoteStub } from './definitions'

/**
 * Footnotes stay where they are written, as notes that their references lead to: an answer in blocks has no end to
 * gather them at.
 */
export function placeFootnotes() {
  return (tree: Root): void => replace(tree)
}

function replace(parent: Parents): void {
  for (const [index, node] of parent.children.entries()) {
    if (node.type === 'footnoteReference') {
      parent.children[index] = {
        type: 'link',
        url: '',
        children: [{ type: 'text', value: node.label ?? node.identifier }],
        data: { hProperties: { dataFootnote: node.identifier } },
      }
    } else if (node.type === 'footnoteDefinition') {
      replace(node)
      if (isStub(node)) parent.children[index] = { type: 'paragraph', children: [], data: { hName: 'stub' } }
      else {
        const label: PhrasingContent = {
          type: 'strong',
          children: [{ type: 'text', value: `${node.label ?? node.identifier} ` }],
        }
        const [first] = node.children
        if (first?.type === 'paragraph') first.children.unshift(label)
        parent.children[index] = {
          type: 'blockquote',
          children: node.children,
          data: { hName: 'div', hProperties: { className: ['footnote'], dataFootnote: node.identifier } },
        }
      }
    } else if ('children' in node) replace(node)
  }
}

function isStub({ children }: FootnoteDefinition): boolean {
  const [first] = children
  return first?.type === 'paragraph' && first.children[0]?.type === 'text' && first.children[0].value === footnoteStub
}

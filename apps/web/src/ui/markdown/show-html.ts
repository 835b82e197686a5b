import type { Parents, PhrasingContent, Root, RootContent } from 'mdast'

/** HTML in an answer is text like any other; only `<br>`, the one way to a line break in a table, is honoured. */
export function showHtml() {
  return (tree: Root): void => replaceHtml(tree)
}

function replaceHtml(parent: Parents): void {
  for (const [index, node] of parent.children.entries()) {
    if (node.type === 'html') parent.children[index] = plain(node.value, parent)
    else if ('children' in node) replaceHtml(node)
  }
}

function plain(value: string, { type }: Parents): RootContent {
  const inline: PhrasingContent = /^<br\s*\/?>$/i.test(value) ? { type: 'break' } : { type: 'text', value }
  const isFlow = type === 'root' || type === 'blockquote' || type === 'listItem' || type === 'footnoteDefinition'
  return isFlow ? { type: 'paragraph', children: [inline] } : inline
}

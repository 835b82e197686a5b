import type { Element, ElementContent, Root, RootContent } from 'hast'

/**
 * A picture offers a link of its own, so a link around one is put behind it: two links in each other are none for the
 * keyboard.
 */
export function liftPictures() {
  return (tree: Root): void => {
    tree.children = tree.children.flatMap(lifted)
  }
}

function lifted<Content extends RootContent>(node: Content): (Content | ElementContent)[] {
  if (node.type !== 'element') return [node]
  node.children = node.children.flatMap(lifted)
  if (node.tagName !== 'a') return [node]
  const pictures = takePictures(node)
  if (pictures.length === 0) return [node]
  if (node.children.length === 0) node.children = [{ type: 'text', value: String(node.properties.href ?? '') }]
  return [...pictures, { type: 'text', value: ' ' }, node]
}

function takePictures(node: Element): ElementContent[] {
  const isPicture = (child: ElementContent): boolean => child.type === 'element' && child.tagName === 'img'
  const inner = node.children.flatMap((child) =>
    child.type === 'element' && !isPicture(child) ? takePictures(child) : [],
  )
  const own = node.children.filter(isPicture)
  node.children = node.children.filter((child) => !isPicture(child))
  return [...own, ...inner]
}

import type { Element } from 'hast'

/** The words of an element. */
export function hastText(element: Element): string {
  return element.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? hastText(child) : ''))
    .join('')
}

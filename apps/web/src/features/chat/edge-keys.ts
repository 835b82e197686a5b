import type { KeyboardEvent } from 'react'

/**
 * The keys Home and End go to the first loaded message and to the latest one at once. The browser's own way there is
 * animated over messages that are measured meanwhile, which moves its target, so that it ends before the edge.
 */
export function onEdgeKey(event: KeyboardEvent, ways: Readonly<Record<'Home' | 'End', () => void>>): void {
  const { key, target, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event
  if ((key !== 'Home' && key !== 'End') || altKey || ctrlKey || metaKey || shiftKey) return
  // What a message has opened lies elsewhere in the page.
  const isOfList = target instanceof Element && currentTarget.contains(target) && !target.closest(ofTheirOwn)
  if (event.defaultPrevented || !isOfList) return
  event.preventDefault()
  ways[key]()
}

/** These have a use of their own for the keys. */
const ofTheirOwn = 'textarea, input, select, [contenteditable], [role=menu], [role=listbox], [role=tablist]'

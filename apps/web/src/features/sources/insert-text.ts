/** Types a text into a box where its cursor is, as a person would: whoever holds the box's text hears of it. */
export function insertText(box: HTMLTextAreaElement, text: string): void {
  const { value, selectionStart, selectionEnd } = box
  const written = value.slice(0, selectionStart) + text + value.slice(selectionEnd)
  // React keeps a setter of its own on the box, and takes no notice of what comes through it.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, written)
  box.setSelectionRange(selectionStart + text.length, selectionStart + text.length)
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste', data: text }))
}

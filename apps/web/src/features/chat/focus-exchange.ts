/**
 * Moves the focus from a button that is about to disappear to its exchange: otherwise it would be lost to the top of
 * the page.
 */
export function focusExchange(button: Element): void {
  button.closest('article')?.focus({ preventScroll: true })
}

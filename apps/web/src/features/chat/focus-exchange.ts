/** Moves the focus from a button that is about to go to the exchange that it stands in: otherwise the keyboard would begin anew at the top of the page. */
export function focusExchange(button: Element): void {
  button.closest('article')?.focus({ preventScroll: true })
}

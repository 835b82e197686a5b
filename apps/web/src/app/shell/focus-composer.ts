export function focusComposer(): void {
  document.querySelector<HTMLTextAreaElement>('textarea[data-composer]')?.focus()
}

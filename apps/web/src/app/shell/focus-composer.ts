/** Or the search of a page that has no composer. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('textarea[data-composer], [data-page-search]')?.focus()
}

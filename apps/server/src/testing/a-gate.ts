/** What waits for `opened` goes on with `open`. */
export function aGate(): { open(): void; opened: Promise<void> } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

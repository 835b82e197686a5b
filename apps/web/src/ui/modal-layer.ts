/**
 * The modal dialogs that are open, the topmost last. What has to stay usable above them moves into the topmost:
 * everything outside it is inert.
 */
const dialogs: HTMLElement[] = []
const listeners = new Set<() => void>()

export const topModalLayer = (): HTMLElement => dialogs.at(-1) ?? document.body

/** Call after showModal. Returns the end of it, to be called while the dialog is still in the page. */
export function enterModalLayer(dialog: HTMLElement): () => void {
  dialogs.push(dialog)
  tell()
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1)
    tell()
  }
}

export function onModalLayerChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

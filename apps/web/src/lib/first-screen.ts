// The page has a box to type into before the app is there (app/first-screen). It is looked up as this module is loaded:
// the app's first render takes it out of the page.

type FirstText = {
  text: string
  /** The selection, in UTF-16 units. */
  selection: [number, number]
  /** The person has pressed the key that sends. */
  isSent: boolean
}

let box = globalThis.document?.querySelector<HTMLTextAreaElement>('[data-first-text]')
/** Also where nothing was typed yet: the next key would go to the page, and be lost. */
let hasFocus = box != null && document.activeElement === box
box?.addEventListener('focus', () => {
  hasFocus = true
})
box?.addEventListener('blur', ({ target }) => {
  // Taking the box out of the page is no leaving it, and tells so while the box is still in the page: whoever takes it
  // out takes over from it in the same task.
  queueMicrotask(() => {
    if (target !== document.activeElement && target instanceof Node && target.isConnected) hasFocus = false
  })
})

/** What was typed before the app was there, once; undefined where nobody was about to type. */
export function takeFirstText(): FirstText | undefined {
  const typed = box
  box = null
  if (!typed || (typed.value === '' && !hasFocus)) return undefined
  return {
    text: typed.value,
    selection: [typed.selectionStart, typed.selectionEnd],
    isSent: typed.dataset.sent !== undefined,
  }
}

/** Resolves when no input method is composing a word in the box, which would lose it with the box. */
export async function firstTextIsComposed(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (box?.dataset.composing === undefined) resolve()
    else box.addEventListener('compositionend', () => resolve(), { once: true })
  })
}

const lockKey = 'parley-locked'

/** Behind a passphrase the next page begins with its lock, not with a box to type in. */
export function rememberLock(isLocked: boolean): void {
  try {
    if (isLocked) localStorage.setItem(lockKey, '')
    else localStorage.removeItem(lockKey)
  } catch {
    // Storage is denied: so are locks.
  }
}

import { create } from 'zustand'

/** What sends a question; the other one of Enter and Ctrl (⌘) Enter adds a line. Shift Enter always does. */
const sendKeys = ['enter', 'mod-enter'] as const
export type SendKey = (typeof sendKeys)[number]

/** Of this browser, whoever is signed in: it is about its keyboard. */
const key = 'parley-send-key'

function read(): SendKey {
  try {
    const stored = localStorage.getItem(key)
    return sendKeys.find((each) => each === stored) ?? 'enter'
  } catch {
    // Storage is denied: the choice lasts as long as the page.
    return 'enter'
  }
}

const useStored = create<{ sendKey: SendKey }>(() => ({ sendKey: read() }))

export const useSendKey = (): SendKey => useStored(({ sendKey }) => sendKey)

export function setSendKey(sendKey: SendKey): void {
  useStored.setState({ sendKey })
  try {
    localStorage.setItem(key, sendKey)
  } catch {
    // As above.
  }
}

// Another tab may make the choice.
globalThis.addEventListener('storage', (event: StorageEvent) => {
  if (event.key === key || event.key === null) useStored.setState({ sendKey: read() })
})

import 'fake-indexeddb/auto'
import { focusManager, onlineManager } from '@tanstack/react-query'
import { cleanup, configure, prettyDOM, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { IDBFactory } from 'fake-indexeddb'
import type { GlobalWindow } from 'happy-dom'
import { afterAll, vi } from 'vitest'
import { keptInWorker, openPageKey } from './kept'

// A worker runs many files, and loads libraries once for all of them. Each file has a page of its own all the same,
// with its storage, and the app's modules of its own: what one leaves behind, no other finds.

/** Undefined in a file that asks for Node alone. */
const openPage: (() => GlobalWindow) | undefined = Reflect.get(globalThis, openPageKey)
const page = openPage?.()
globalThis.indexedDB = new IDBFactory()
vi.resetModules()

// A busy machine takes its time to load a screen that is loaded when it is first needed.
configure({ asyncUtilTimeout: 15_000, getElementError })

/** As the library's own, but the page is printed when the error is read: what is waited for fails many times unread. */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '')
  error.name = 'TestingLibraryElementError'
  let text: string | undefined
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => (text ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')),
    set: (given: string) => {
      text = given
    },
  })
}

// What libraries know of the page that they were loaded in.
if (page) {
  Object.assign(screen, within(document.body))
  const loaded = keptInWorker('user-event', () => ({ ...userEvent }))
  Object.assign(userEvent, {
    setup: (options) => loaded.setup({ document, ...options }),
    keyboard: (text, options) => loaded.keyboard(text, { document, ...options }),
    paste: (data, options) => loaded.paste(data, { document, ...options }),
    tab: (options) => loaded.tab({ document, ...options }),
  } satisfies Partial<typeof userEvent>)
  onlineManager.setOnline(true)
  onlineManager.setEventListener((setOnline) => {
    const onOnline = () => setOnline(true)
    const onOffline = () => setOnline(false)
    addEventListener('online', onOnline)
    addEventListener('offline', onOffline)
    return () => {
      removeEventListener('online', onOnline)
      removeEventListener('offline', onOffline)
    }
  })
  focusManager.setFocused(undefined)
  focusManager.setEventListener((onFocus) => {
    const onVisibilityChange = () => onFocus()
    addEventListener('visibilitychange', onVisibilityChange)
    return () => removeEventListener('visibilitychange', onVisibilityChange)
  })
}

afterAll(async () => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await page?.happyDOM.abort()
})

import type { GlobalWindow } from 'happy-dom'
import { type Environment, populateGlobal } from 'vitest/runtime'
import { happyDomFile } from '../../../../scripts/bundle-happy-dom.mjs'
import { openPageKey } from './kept'

/**
 * As Vitest's own `happy-dom`, from one file (scripts/bundle-happy-dom.mjs), and with a page for each file of a worker
 * (own-page.ts) instead of one for all.
 */
export default {
  name: 'happy-dom-bundle',
  viteEnvironment: 'client',
  async setup(global) {
    const library: { GlobalWindow: typeof GlobalWindow } = await import(happyDomFile)
    let leave = () => {}

    /** Puts a new page in the place of the one before: `global` is its window from now on. */
    function openPage() {
      const page = new library.GlobalWindow({
        console: global.console,
        url: 'http://localhost:3000',
        settings: { disableErrorCapturing: true },
      })
      leave()
      const { keys, originals } = populateGlobal(global, page, {
        bindFunctions: true,
        // What Node has as well: the page's own goes before it.
        additionalKeys: [
          ...['Request', 'Response', 'MessagePort', 'fetch', 'Headers', 'AbortController', 'AbortSignal', 'URL'],
          ...['URLSearchParams', 'FormData'],
        ],
      })
      leave = () => {
        for (const key of keys) Reflect.deleteProperty(global, key)
        for (const [key, value] of originals) Reflect.set(global, key, value)
      }
      return page
    }

    // Libraries look around when they are loaded: they find a page.
    openPage()
    Reflect.set(global, openPageKey, openPage)
    return { teardown: () => undefined }
  },
} satisfies Environment

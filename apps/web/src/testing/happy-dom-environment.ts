import type { GlobalWindow } from 'happy-dom'
import { type Environment, populateGlobal } from 'vitest/runtime'
import { happyDomFile } from '../../../../scripts/bundle-happy-dom.mjs'

/** As Vitest's own `happy-dom`, from one file (scripts/bundle-happy-dom.mjs). */
export default {
  name: 'happy-dom-bundle',
  viteEnvironment: 'client',
  async setup(global) {
    const library: { GlobalWindow: typeof GlobalWindow } = await import(happyDomFile)
    const page = new library.GlobalWindow({
      console: global.console,
      url: 'http://localhost:3000',
      settings: { disableErrorCapturing: true },
    })
    populateGlobal(global, page, {
      bindFunctions: true,
      // What Node has as well: the page's own goes before it.
      additionalKeys: [
        ...['Request', 'Response', 'MessagePort', 'fetch', 'Headers', 'AbortController', 'AbortSignal', 'URL'],
        ...['URLSearchParams', 'FormData'],
      ],
    })
    return {
      // What belongs to the page stays: the process ends with the file, and what still runs in it would miss its parts.
      async teardown() {
        await page.happyDOM.abort()
      },
    }
  },
} satisfies Environment

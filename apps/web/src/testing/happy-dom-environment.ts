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
    const { keys, originals } = populateGlobal(global, page, {
      bindFunctions: true,
      // What Node has as well: the page's own goes before it.
      additionalKeys: [
        ...['Request', 'Response', 'MessagePort', 'fetch', 'Headers', 'AbortController', 'AbortSignal', 'URL'],
        ...['URLSearchParams', 'FormData'],
      ],
    })
    return {
      async teardown() {
        await page.happyDOM.abort()
        page.close()
        for (const key of keys) delete global[key]
        for (const [key, value] of originals) global[key] = value
      },
    }
  },
} satisfies Environment

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// As apps/web/vite.config.ts builds it, without the service worker.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    outDir: '../../node_modules/.cache/bench-search',
    emptyOutDir: true,
  },
  worker: { format: 'es' },
})

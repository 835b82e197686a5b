import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { firstLoadLimit, isFirstLoad, laterPartOf, laterParts } from './first-load.ts'
import { firstScreen } from './first-screen.ts'
import { offlineFiles } from './offline-files.ts'
import { pdfFiles } from './pdf-files.ts'
import { renderPublicPages } from './render-public-pages.ts'

const server = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3001}`

export default defineConfig({
  // Its build for browsers writes to innerHTML, which the page's trusted types policy refuses: "&amp;" in an answer
  // would throw.
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')),
    },
  },
  plugins: [react(), firstScreen(), renderPublicPages(), pdfFiles(), offlineFiles(), firstLoadLimit()],
  build: {
    target: 'es2023',
    // Every browser of that target preloads modules itself.
    modulePreload: { polyfill: false },
    // A data: URL would be refused by the page's content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // On a busy machine it says that a plugin took long, which is no warning about the app.
      checks: { pluginTimings: false },
      input: ['index.html', 'src/site/site.ts'],
      output: {
        // A few files instead of more than a hundred: each costs a request and compresses by itself. Libraries change
        // less often than the app.
        codeSplitting: {
          groups: [
            {
              debugName: 'libraries',
              name: (id, context) => (id.includes('node_modules') && isFirstLoad(id, context) ? 'libraries' : null),
              priority: laterParts.length + 2,
            },
            {
              debugName: 'app',
              name: (id, context) => (isFirstLoad(id, context) ? 'app' : null),
              priority: laterParts.length + 1,
            },
            ...laterParts.map((part, index) => ({
              debugName: part,
              name: (id: string, context: Rolldown.ChunkingContext) =>
                laterPartOf(id, context) === part ? part : null,
              priority: laterParts.length - index,
            })),
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      '/api': server,
      '/models': server,
      '/v1': server,
      '/metrics': server,
      '/ws': { target: server, ws: true },
    },
  },
  preview: {
    proxy: {
      '/api': server,
      '/models': server,
      '/v1': server,
      '/metrics': server,
      '/ws': { target: server, ws: true },
    },
  },
})

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { firstScreen } from './first-screen.ts'
import { offlineFiles } from './offline-files.ts'
import { renderPublicPages } from './render-public-pages.ts'

const server = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3001}`

/**
 * Every module that the page needs before it shows anything: what the entry imports, and what that imports, without
 * what is loaded later.
 */
const firstLoad = new Set<string>()
/** Of the icons only those that it names itself: their package has one entry that imports all of them. */
const firstIcons = new Set<string>()

const iconNames = /import\s*\{([^}]*)\}\s*from\s*['"]lucide-react['"]/g
const iconFile = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.m?js$/

/** `Share2` and `share-2` */
const iconKey = (name: string): string => name.replaceAll('-', '').toLowerCase()

function isFirstLoad(moduleId: string, context: Rolldown.ChunkingContext): boolean {
  const visit = (id: string): void => {
    if (firstLoad.has(id)) return
    firstLoad.add(id)
    const module = context.getModuleInfo(id)
    for (const [, names = ''] of module?.code?.matchAll(iconNames) ?? []) {
      for (const name of names.split(',')) firstIcons.add(iconKey(name.trim().split(/\s+as\s+/)[0] ?? ''))
    }
    module?.importedIds.forEach(visit)
  }
  if (firstLoad.size === 0) visit(fileURLToPath(new URL('src/main.tsx', import.meta.url)))
  const [, icon] = iconFile.exec(moduleId) ?? []
  return firstLoad.has(moduleId) && (icon === undefined || firstIcons.has(iconKey(icon)))
}

export default defineConfig({
  // Its build for browsers writes to innerHTML, which the page's trusted types policy refuses: "&amp;" in an answer
  // would throw.
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')),
    },
  },
  plugins: [react(), firstScreen(), renderPublicPages(), offlineFiles()],
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
        // Two files instead of thirty: each costs a request and compresses by itself. Libraries change less often than
        // the app.
        codeSplitting: {
          groups: [
            {
              debugName: 'libraries',
              name: (id, context) => (id.includes('node_modules') && isFirstLoad(id, context) ? 'libraries' : null),
              priority: 2,
            },
            { debugName: 'app', name: (id, context) => (isFirstLoad(id, context) ? 'app' : null), priority: 1 },
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

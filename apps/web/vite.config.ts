import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { pagePattern } from '../../packages/contract/src/pages.ts'
import { renderPublicPages } from './render-public-pages.ts'

const server = `http://127.0.0.1:${process.env.SERVER_PORT ?? 3001}`

/** What the app needs to open and show a chat offline, in every language: the entry, the chat, what draws Markdown and what names a chat. */
const offlineEntries = [
  /\/src\/main\.tsx$/,
  /\/ui\/markdown\/markdown\.tsx$/,
  /\/features\/chat\/chat-view\.tsx$/,
  /\/features\/(?:chat\/(?:composer-settings|agent-welcome)|models\/model-dialog)\.tsx$/,
  /\/data\/agents\/kept-agents\.ts$/,
  /\/features\/channels\/(?:rename-channel-dialog|search-runner|transfer-dialog)\.tsx$/,
  /\/features\/channels\/channel-parts\.ts$/,
  /\/data\/(?:channels\/import-to-device|local\/account-vault|pdf\/export-pdf)\.ts$/,
  /\/app\/shell\/(?:account-menu-items|command-palette)\.tsx$/,
  /\/i18n\/[^/]+\/texts\.ts$/,
]
const latinFonts = /-latin-(?:wght|standard|full|opsz)-normal-.*\.woff2$/

const shellFiles = new Set<string>()

function collectShellFiles(): Plugin {
  return {
    name: 'parley-shell-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
      const visit = (fileName: string): void => {
        if (shellFiles.has(fileName)) return
        shellFiles.add(fileName)
        const chunk = chunks.find((other) => other.fileName === fileName)
        for (const css of chunk?.viteMetadata?.importedCss ?? []) shellFiles.add(css)
        chunk?.imports.forEach(visit)
      }
      for (const chunk of chunks) {
        if (offlineEntries.some((entry) => entry.test(chunk.facadeModuleId ?? ''))) visit(chunk.fileName)
      }
    },
  }
}

/** Languages of code, PDF, formulas and other fonts are cached when they are first used, so that installing stays small. */
const isShell = (url: string): boolean => !url.startsWith('assets/') || shellFiles.has(url) || latinFonts.test(url)

/** Every module that the page needs before it shows anything: what the entry imports, and what that imports, without what is loaded later. */
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
  // Its build for browsers writes to innerHTML, which the page's trusted types policy refuses: "&amp;" in an answer would throw.
  resolve: { alias: { 'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')) } },
  plugins: [
    react(),
    collectShellFiles(),
    renderPublicPages(),
    VitePWA({
      strategies: 'generateSW',
      registerType: 'prompt',
      injectRegister: null,
      filename: 'sw.js',
      manifest: {
        id: '/app',
        name: 'Parley',
        short_name: 'Parley',
        description: 'Chat with AI assistants in channels that you own.',
        start_url: '/app',
        scope: '/',
        display: 'standalone',
        theme_color: '#fafaf6',
        background_color: '#fafaf6',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        // In the worker itself: importScripts would need a trusted type of its own.
        inlineWorkboxRuntime: true,
        globPatterns: ['index.html', '*.{js,svg,png,webmanifest}', 'assets/*.{js,css,woff2}'],
        globIgnores: ['sw.js'],
        maximumFileSizeToCacheInBytes: 20 * 1024 * 1024,
        manifestTransforms: [(entries) => ({ manifest: entries.filter((entry) => isShell(entry.url)), warnings: [] })],
        // Otherwise the app would stand at /, which is the landing page.
        directoryIndex: null,
        navigateFallback: '/index.html',
        // Of the app's own pages only: the others are the server's.
        navigateFallbackAllowlist: [new RegExp(`${pagePattern.source.slice(0, -1)}(?:\\?|$)`)],
        cleanupOutdatedCaches: true,
        runtimeCaching: [
          {
            // Public pages and addresses that lead nowhere. Without a network the app takes their place.
            urlPattern: ({ request, sameOrigin, url }) =>
              sameOrigin && request.mode === 'navigate' && !/^\/(?:api|v1|ws|metrics|models)(?:\/|$)|\.html$/.test(url.pathname),
            handler: 'NetworkOnly',
            options: { precacheFallback: { fallbackURL: '/index.html' } },
          },
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
            handler: 'CacheFirst',
            options: { cacheName: 'assets', expiration: { maxEntries: 300, purgeOnQuotaError: true } },
          },
        ],
      },
    }),
  ],
  build: {
    target: 'es2023',
    // Every browser of that target preloads modules itself.
    modulePreload: { polyfill: false },
    // A data: URL would be refused by the page's content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'src/site/site.ts'],
      output: {
        // Two files instead of thirty: each costs a request and compresses by itself. Libraries change less often than the app.
        codeSplitting: {
          groups: [
            { debugName: 'libraries', name: (id, context) => (id.includes('node_modules') && isFirstLoad(id, context) ? 'libraries' : null), priority: 2 },
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
    proxy: { '/api': server, '/models': server, '/v1': server, '/metrics': server, '/ws': { target: server, ws: true } },
  },
  preview: { proxy: { '/api': server, '/models': server, '/v1': server, '/metrics': server, '/ws': { target: server, ws: true } } },
})

import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type Plugin, type Rolldown } from 'vite'
import { firstFonts, firstStyles } from './first-styles.ts'
import { firstVisitPage } from './first-visit/first-visit.ts'
import { inlineScript } from './inline-script.ts'

type Rendering = typeof import('./src/app/first-screen/render-first-screen')

const emptyRoot = '<div id="root"></div>'

/**
 * Puts the first screen into the app's page: something to read and to type into, before the app has been loaded. The
 * pages of a first visit, one for each language, go to `dist/first-visit`.
 */
export function firstScreen(): Plugin {
  let rendered: ReturnType<Rendering['renderFirstScreen']> | undefined
  return {
    name: 'parley-first-screen',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        if (!html.includes(emptyRoot)) throw new Error('the page has no empty root')
        rendered = await renderFirstScreen()
        const { screen, after, endId } = rendered
        const fonts = Object.keys(bundle).filter((name) => firstFonts.test(name))
        if (fonts.length !== 2) throw new Error(`the first screen is written in ${fonts.join(', ')}`)
        const page = html.replace(emptyRoot, () => `<div id="root">${screen}</div>${after}`)
        const links: Record<string, string>[] = [
          // Without it a browser that pauses between the scripts and the body first paints a frame with nothing in it.
          { rel: 'expect', href: `#${endId}`, blocking: 'render' },
          ...fonts.map((name) => ({
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${name}`,
            crossorigin: '',
          })),
        ]
        return {
          html: inlined(startedLater(page, bundle)),
          tags: links.map((attrs) => ({ tag: 'link', attrs, injectTo: 'head-prepend' as const })),
        }
      },
    },
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }) {
        if (!rendered) throw new Error('the page has no first screen')
        const page = readFileSync(join(dir, 'index.html'), 'utf8')
        await mkdir(join(dir, 'first-visit'), { recursive: true })
        for (const visit of rendered.visits) {
          const made = firstVisitPage(page, rendered, visit)
          await writeFile(join(dir, 'first-visit', `${visit.language}.html`), made)
        }
      },
    },
  }
}

const moduleTag = /<script type="module" crossorigin src="([^"]+)"><\/script>\s*/g
const preloadTag = /<link rel="modulepreload" crossorigin href="([^"]+)">\s*/g
const sheetTag = /<link rel="stylesheet" crossorigin href="([^"]+)">\s*/g

/**
 * The page has the styles of its first screen in itself and waits for nothing. The app's files are fetched and run
 * after the first paint, by `public/start-app.js`: they take longer than all that is painted.
 */
function startedLater(html: string, bundle: Rolldown.OutputBundle): string {
  const addresses = (tag: RegExp): string[] => [...html.matchAll(tag)].flatMap(([, address]) => address ?? [])
  const [entry, sheet] = [addresses(moduleTag).at(-1), addresses(sheetTag)[0]]
  if (entry === undefined || sheet === undefined) throw new Error('the page starts no app')
  const file = bundle[sheet.slice(1)]
  if (file?.type !== 'asset') throw new Error(`there is no ${sheet}`)
  const modules = [...addresses(moduleTag), ...addresses(preloadTag)].join(' ')
  return html
    .replace(moduleTag, '')
    .replace(preloadTag, '')
    .replace(sheetTag, () => `<style>${firstStyles(String(file.source), html)}</style>`)
    .replace('</body>', () => `<script src="/start-app.js"></script></body>`)
    .replace('<body>', () => `<body data-app="${entry}" data-modules="${modules}" data-sheet="${sheet}">`)
}

/**
 * Each of these small scripts would cost a request of its own before the first paint. The server allows them by digest.
 */
const inlined = (html: string): string =>
  html.replace(/<script src="(\/[\w-]+\.js)"><\/script>/g, (_tag, path: string) =>
    inlineScript(join(import.meta.dirname, 'public', path)),
  )

/** A server, because the names of its styles are made as for the page; nothing listens. */
async function renderFirstScreen(): Promise<ReturnType<Rendering['renderFirstScreen']>> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  try {
    const rendering = await server.ssrLoadModule('/src/app/first-screen/render-first-screen.tsx')
    return (rendering as Rendering).renderFirstScreen()
  } finally {
    await server.close()
  }
}

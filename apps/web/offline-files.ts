import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { manifests } from './src/i18n/manifests.ts'

/**
 * The app's router imports every page of it, so that all of what main.tsx imports, now or later, is what the app needs
 * without a network: only this is not put on the device before somebody uses it. It would make the installation several
 * times as large, or does nothing without a network.
 */
const keptWhenUsed = [
  // Languages of code, and what colours them.
  /\/node_modules\/shiki\//,
  /\/ui\/markdown\/highlight-worker\.ts$/,
  /\/ui\/markdown\/katex\.tsx?$/,
  /\/data\/pdf\/pdf-worker\.ts$/,
  // Pages of PDFs as they look; without them their text is shown.
  /\/node_modules\/pdfjs-dist\//,
  /\/features\/sources\/(?:pdf-|open-pdf)/,
  // Nobody can pay.
  /\/features\/payments\/(?:buy-credits|pix-dialog)\.tsx$/,
  // Signing and verifying: the manifests are the server's.
  /\/data\/agents\/sui-(?:crypto|signing|verify)\.ts$/,
]
/** Compressed. What is fetched over somebody's mobile data without being asked for. */
const mostInstallBytes = 900_000

/** The interface's own words, and what people write in western languages. */
const latinFonts = /(?:bricolage-grotesque|instrument-sans)-(?:core|latin)(?!-ext)-.*\.woff2$/

const main = /\/src\/main\.tsx$/
const buildMeta = '<meta name="parley-build" content="">'

/**
 * Names each build in its page, lists what it needs without a network, and builds the service worker with that list.
 */
export function offlineFiles(): Plugin {
  let publicDir = ''
  let id = ''
  return {
    name: 'parley-offline-files',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      publicDir = config.publicDir
    },
    buildStart() {
      for (const { fileName, source } of manifests(import.meta.dirname))
        this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const hash = createHash('sha256').update(html)
        for (const name of Object.keys(bundle).sort()) hash.update(name)
        for (const name of publicFiles(publicDir)) hash.update(name).update(readFileSync(join(publicDir, name)))
        id = hash.digest('hex').slice(0, 16)
        return html.replace(buildMeta, buildMeta.replace('""', `"${id}"`))
      },
    },
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }, bundle) {
        const files = ['index.html', ...publicFiles(publicDir), ...neededFiles(bundle)].sort()
        const bytes = files.reduce((sum, file) => sum + compressedSize(join(dir, file)), 0)
        process.stdout.write(`Without a network: ${files.length} files, ${Math.round(bytes / 1000)} kB compressed.\n`)
        if (bytes > mostInstallBytes)
          throw new Error(`the files for use without a network have ${bytes} bytes: more than ${mostInstallBytes}`)
        await buildWorker(dir, { id, files })
      },
    },
  }
}

const publicFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|svg|png|webmanifest)$/.test(entry.name))
    .map(({ name }) => name)
    .sort()

/** What the app imports, with its styles and workers, and the fonts of every screen: that of code is kept when used. */
function neededFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const needed = new Set<string>()
  const files = Object.values(bundle)
  const workers = files.filter(
    (file) =>
      file.type === 'asset' && file.fileName.endsWith('.js') && !isKeptWhenUsed(file.originalFileNames, file.fileName),
  )
  const visit = (fileName: string): void => {
    const file = bundle[fileName]
    if (!file || needed.has(fileName)) return
    if (file.type === 'chunk' && isKeptWhenUsed([file.facadeModuleId ?? ''], fileName)) return
    needed.add(fileName)
    const code = file.type === 'chunk' ? file.code : String(file.source)
    // Workers are no imports: the code has their address.
    for (const worker of workers) if (code.includes(worker.fileName.replace('assets/', ''))) visit(worker.fileName)
    if (file.type !== 'chunk') return
    for (const css of file.viteMetadata?.importedCss ?? []) needed.add(css)
    file.imports.forEach(visit)
    file.dynamicImports.forEach(visit)
  }
  const entry = files.find((file) => file.type === 'chunk' && file.moduleIds.some((moduleId) => main.test(moduleId)))
  if (!entry) throw new Error('the app has no entry')
  for (const file of files)
    if (file.type === 'chunk' && file.isEntry && file.facadeModuleId?.endsWith('index.html')) visit(file.fileName)
  visit(entry.fileName)
  for (const { fileName } of files)
    if (latinFonts.test(fileName) || fileName.endsWith('.webmanifest')) needed.add(fileName)
  return needed
}

/** A worker's file is known by its name alone. */
const isKeptWhenUsed = (moduleIds: readonly string[], fileName: string): boolean =>
  moduleIds.some((moduleId) => keptWhenUsed.some((pattern) => pattern.test(moduleId))) ||
  /\/(?:highlight|pdf|reader)-worker-/.test(`/${fileName}`)

const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }

/** Pictures and fonts are compressed by themselves. */
function compressedSize(file: string): number {
  return /\.(?:html|js|css|svg|webmanifest)$/.test(file)
    ? brotliCompressSync(readFileSync(file), { params }).length
    : statSync(file).size
}

async function buildWorker(outDir: string, contents: { id: string; files: string[] }): Promise<void> {
  await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: 'warn',
    define: { __BUILD__: JSON.stringify(contents) },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: 'src/worker/offline-worker.ts',
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
const { version }: { version: string } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
const folders = ['cmaps', 'standard_fonts', 'wasm']
/** As src/data/sources/pdf-files.ts names it. With the version, for the browser keeps what is in `assets/` for ever. */
const target = `assets/pdfjs-${version}`

/**
 * The character maps, fonts and decoders that pdf.js asks for while it reads a document that needs them: without them a
 * Japanese text is no text, and a scan in JPEG 2000 or JBIG2 an empty page.
 */
export function pdfFiles(): Plugin {
  return {
    name: 'parley-pdf-files',
    buildStart() {
      if (this.environment.mode !== 'build') return
      for (const folder of folders)
        for (const file of readdirSync(join(source, folder)))
          this.emitFile({
            type: 'asset',
            fileName: `${target}/${folder}/${file}`,
            source: readFileSync(join(source, folder, file)),
          })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const folder = folders.find((name) => dirname(pathname) === `/${target}/${name}`)
        if (folder === undefined || !readdirSync(join(source, folder)).includes(basename(pathname))) return next()
        if (pathname.endsWith('.wasm')) response.setHeader('content-type', 'application/wasm')
        if (pathname.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        response.end(readFileSync(join(source, folder, basename(pathname))))
      })
    },
  }
}

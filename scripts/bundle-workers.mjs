// For Vitest's tests inside Chromium: the app's workers as one file each. From their sources a worker asks Vite's
// server for each of its modules, every time that one is started, which takes longer than most of its work.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, parse, sep } from 'node:path'
import { build } from 'esbuild'

const folder = '/__workers/'
/** `?worker&url` of a file whose fonts only Vite can find, by a pattern, stays Vite's. */
const left = 'pdf-worker'

/** @returns {import('vite').Plugin} */
export function bundleWorkers() {
  /** @type {Map<string, string>} the source of a worker, by its name */
  const sources = new Map()
  /** Made with the first worker: most runs of tests start none. */
  let output = ''
  /** @type {Promise<void> | undefined} */
  let bundled

  async function bundle() {
    output ||= mkdtempSync(join(tmpdir(), 'parley-workers-'))
    await build({
      entryPoints: Object.fromEntries(sources),
      outdir: output,
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2023' },
      define: { 'process.env.NODE_ENV': '"test"' },
      // Behind a question whether this is Node.
      external: ['fs', 'crypto'],
      logLevel: 'error',
      plugins: [addressesOfFiles],
    })
  }

  return {
    name: 'bundle-workers',
    enforce: 'pre',
    load(id) {
      const [file, query] = id.split('?')
      if (query !== 'worker&url' || parse(file).name === left) return undefined
      const { name } = parse(file)
      if (sources.get(name) !== file) {
        sources.set(name, file)
        bundled = undefined
      }
      return `export default ${JSON.stringify(`${folder}${name}.js`)}`
    },
    // A changed file may be one of a worker.
    watchChange() {
      bundled = undefined
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        if (!pathname.startsWith(folder)) return next()
        try {
          bundled ??= bundle()
          await bundled
        } catch (error) {
          return next(error)
        }
        const file = join(output, basename(pathname))
        // Not an error: Vite would lay its page of errors over whatever is tested meanwhile.
        if (!existsSync(file)) return response.writeHead(404).end()
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file))
      })
      server.httpServer?.on('close', () => output && rmSync(output, { recursive: true, force: true }))
    },
  }
}

/** `?url`: where Vite's server gives the file. */
const addressesOfFiles = {
  name: 'addresses-of-files',
  setup(build) {
    build.onResolve({ filter: /\?url$/ }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path.slice(0, -'?url'.length)),
      namespace: 'address',
    }))
    build.onLoad({ filter: /.*/, namespace: 'address' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(`/@fs/${path.split(sep).join('/').replace(/^\//, '')}`)}`,
    }))
  },
}

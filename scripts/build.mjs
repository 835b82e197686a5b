// npm run build: the web app (Vite, then compressed once for all) and the server (esbuild). A part whose sources have
// not changed is left as it is.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { run } from './run.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)
const shared = ['packages', 'package-lock.json', 'scripts/build.mjs', 'scripts/server-bundle.mjs', 'tsconfig.base.json']

await step('web', { inputs: ['apps/web', ...shared], output: at('apps/web/dist/index.html'), make: buildWeb })
await step('server', { inputs: ['apps/server', ...shared], output: at('apps/server/dist/main.js'), make: buildServer })

async function step(name, { inputs, output, make }) {
  const stampFile = at('node_modules/.cache/build', name)
  const stamp = hashOf(inputs)
  if (existsSync(output) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const started = Date.now()
  console.log(`Building the ${name}…`)
  rmSync(stampFile, { force: true })
  await make()
  mkdirSync(at('node_modules/.cache/build'), { recursive: true })
  writeFileSync(stampFile, stamp)
  console.log(`Built the ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

/** Of the content: a fresh clone and a switched branch change the times of files that are the same. */
function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version)
  for (const file of inputs.flatMap((input) => filesOf(at(input))).sort()) {
    if (/\.test\.tsx?$/.test(file)) continue
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'testing'].includes(name))
    .flatMap((entry) => filesOf(join(path, entry.name)))
}

async function buildWeb() {
  const code = await run(
    process.execPath,
    [resolve(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: at('apps/web'),
      shell: false,
    },
  )
  if (code !== 0) process.exit(code)
  await compress(at('apps/web/dist'))
}

/** Once here instead of at each request: `.br` and `.gz` beside every file that shrinks. */
async function compress(folder) {
  const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt', '.wasm', '.ttf'])
  // The server completes the public pages, and compresses what comes out; as it does with those of a first visit.
  const isSent = (file) => !['site-pages', 'first-visit'].some((name) => file.startsWith(join(folder, name)))
  const files = filesOf(folder).filter(
    (file) => isSent(file) && compressible.has(extname(file)) && statSync(file).size > 512,
  )
  const worker = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const content = readFileSync(file)
      // The highest quality costs a second for each megabyte: only the large ones, which load lazily, get less.
      const quality = content.length > 600_000 ? 9 : 11
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params }),
        promisify(gzip)(content, { level: 9 }),
      ])
      if (br.length < content.length) writeFileSync(`${file}.br`, br)
      if (gz.length < content.length) writeFileSync(`${file}.gz`, gz)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}

async function buildServer() {
  const { bundleServer } = await import('./server-bundle.mjs')
  const files = { main: 'main.ts', migrate: 'db/migrate-command.ts', admin: 'admin-command.ts' }
  await bundleServer({ files, to: at('apps/server/dist'), sourcemap: true })
}

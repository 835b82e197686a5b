// The server as JavaScript, made by esbuild: for `npm run build`, and for tests that start processes of it.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('../apps/server/src/', import.meta.url))

/** Threads and processes that the server starts, found beside it. */
const workers = {
  'pglite-worker': 'db/pglite-worker.ts',
  'pdf-worker': 'providers/pdf/pdf-worker.ts',
  'reader-child': 'features/sources/reader-child.ts',
  'join-worker': 'features/sources/join-worker.ts',
}

/**
 * What the server starts with: bundled it loads in a fraction of the time, of which Node needs much to find a thousand
 * files. All else that npm installed stays where it is.
 */
const bundled = new RegExp(
  `^(${[
    ...['@dicebear', '@noble', '@scure', 'drizzle-orm', 'jose', 'pg', 'redis', 'stripe', 'undici', 'viem', 'zod'],
    ...['fastify', 'fastify-type-provider-zod', '@fastify/(?!static|swagger-ui)[\\w-]+', 'accepts', 'ipaddr\\.js'],
    ...['prom-client', 'ws', 'yaml'],
  ].join('|')})(/|$)`,
)

/**
 * What those ask for: some without having to have it, some that finds files or a thread beside itself, and which is
 * also asked for by what is not bundled.
 */
const outside = /^(@fastify\/(static|swagger-ui)|bufferutil|pg-native|pino|utf-8-validate)$/

function partly() {
  const setup = (esbuild) =>
    esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isOurs = !importer.includes('node_modules')
      // Node reads JSON only by another kind of import than the sources have.
      const isWithin = isOurs
        ? path.startsWith('@parley/') || path.endsWith('.json') || bundled.test(path)
        : !outside.test(path)
      return kind === 'entry-point' || isWithin ? undefined : { path, external: true }
    })
  return { name: 'partly', setup }
}

/**
 * Bundles files of the server's source, with the threads, migrations and content that they look for beside themselves.
 * @param {{ files: Record<string, string>, to: string, sourcemap: boolean }} what The files by the names they get;
 * their paths are relative to apps/server/src.
 * `to` is a folder in apps/server: what the server finds beside itself it finds from there too.
 */
export async function bundleServer({ files, to, sourcemap }) {
  rmSync(to, { recursive: true, force: true })
  await build({
    entryPoints: Object.fromEntries(
      Object.entries({ ...workers, ...files }).map(([name, file]) => [name, join(source, file)]),
    ),
    outdir: to,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // What Node has to read at each start; names and lines still tell where a failure was.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    sourcemap,
    plugins: [partly()],
    // What was written for `require` asks for Node's own modules by it.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
    logLevel: 'warning',
  })
  cpSync(join(source, 'db/migrations'), join(to, 'migrations'), { recursive: true })
  cpSync(join(source, 'content/agents'), join(to, 'agents'), { recursive: true })
  cpSync(join(source, 'features/sources/no-network.cjs'), join(to, 'no-network.cjs'))
}

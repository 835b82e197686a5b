// npm start: builds what has changed, then becomes the server: no process stands between it and its signals.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithNpm } from './end-with-npm.mjs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Parley needs Node 20.19 or newer; this is Node ${process.versions.node}. Get one at https://nodejs.org`,
  )
  process.exit(1)
}

const root = fileURLToPath(new URL('..', import.meta.url))
endWithNpm()
const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

process.chdir(root)
process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
await import('../apps/server/dist/main.js')

// npm start: builds what has changed, then runs the server.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or newer; this is Node ${process.versions.node}. Get one at https://nodejs.org`)
  process.exit(1)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

const server = spawn(process.execPath, ['--enable-source-maps', 'apps/server/dist/main.js'], {
  cwd: root,
  stdio: 'inherit',
  env: { NODE_ENV: 'production', ...process.env },
})
// The server decides when to end; a signal that reaches it twice at once counts once.
process.on('SIGINT', () => server.kill('SIGINT'))
process.on('SIGTERM', () => server.kill('SIGTERM'))
process.on('SIGHUP', () => server.kill('SIGTERM'))
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))

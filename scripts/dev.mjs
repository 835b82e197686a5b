// npm run dev: the app at http://localhost:3000 with hot reload (Vite, which passes calls and sockets on), the server
// on port 3001, restarted on change. PORT and SERVER_PORT choose others.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithNpm } from './end-with-npm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const port = process.env.PORT ?? '3000'
const serverPort = process.env.SERVER_PORT ?? '3001'
const bin = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

// Read at the start, not imported.
const content = ['--include', 'apps/server/src/content/agents/*']

const children = [
  start([bin('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', ...content, 'apps/server/src/main.ts'], root, {
    PORT: serverPort,
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
  }),
  start(
    [bin('vite/bin/vite.js'), '--port', port, '--strictPort'],
    fileURLToPath(new URL('../apps/web', import.meta.url)),
    { SERVER_PORT: serverPort },
  ),
]

let isEnding = false
function end(code) {
  if (isEnding) return
  isEnding = true
  for (const child of children) child.kill('SIGTERM')
  setTimeout(() => process.exit(code), 5_000).unref()
  Promise.all(
    children.map((child) =>
      child.exitCode === null && child.signalCode === null
        ? new Promise((resolve) => child.once('exit', resolve))
        : undefined,
    ),
  ).then(() => process.exit(code))
}

endWithNpm()
// Neither is of use without the other.
for (const child of children) child.on('exit', (code) => end(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0))

function start(args, cwd, env) {
  return spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
}

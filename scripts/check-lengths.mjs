// Part of npm run check: names every source file that is longer than a reader can keep in mind.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const mostLines = 300
const folders = [
  'apps/server/src',
  'apps/web/src',
  'packages/contract/src',
  'packages/pdf/src',
  'packages/reader/src',
  'e2e',
  'bench',
  'scripts',
]

const long = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => /\.(?:[cm]?[jt]s|tsx|css)$/.test(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > mostLines)
for (const { path, lines } of long) console.log(`${path} has ${lines} lines, ${mostLines} at most.`)
process.exitCode = long.length === 0 ? 0 : 1

// Part of npm run check: names every source file that is longer than a reader can keep in mind, and every line of a
// comment that is wider than the formatter makes code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const mostLines = 300
const mostColumns = 120
const folders = [
  'apps/server/src',
  'apps/web/src',
  'apps/web/public',
  'apps/web/first-visit',
  'packages/contract/src',
  'packages/pdf/src',
  'packages/reader/src',
  'e2e',
  'bench',
  'scripts',
]

/** A line of a comment; not one with an address, or with a word for a tool, which has to stand in one line. */
const comment = /^\s*(?:\/\/|\/?\*)(?!.*(?:https?:\/\/|biome-ignore|@ts-|\|))/

const files = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => /\.(?:[cm]?[jt]s|tsx|css)$/.test(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))
const complaints = files.flatMap(({ path, lines }) => [
  ...(lines.length - 1 > mostLines ? [`${path} has ${lines.length - 1} lines, ${mostLines} at most.`] : []),
  ...lines.flatMap((line, index) =>
    line.length > mostColumns && comment.test(line)
      ? [`${path}:${index + 1} is a comment of ${line.length} columns, ${mostColumns} at most.`]
      : [],
  ),
])
for (const complaint of complaints) console.log(complaint)
process.exitCode = complaints.length === 0 ? 0 : 1

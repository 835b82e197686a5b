// npm run test:changed [-- {commit}]: the tests of the files that differ from a commit, committed or not: from where
// the branch left main unless said, and from the last commit on main itself.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { runBin } from './run.mjs'

const sources = ['apps/server/src', 'apps/web/src', 'packages/contract/src', 'packages/pdf/src', 'e2e']
const isTest = (file) => /\.test\.tsx?$/.test(file)
/**
 * What more tests than this import is at the bottom of everything: its own tests speak for it, `npm test` for the rest.
 */
const mostImporters = 12

const base = process.argv[2] ?? baseOf()
const changed = [
  ...new Set([...lines('diff', '--name-only', base), ...lines('ls-files', '--others', '--exclude-standard')]),
]
const tests = sources.flatMap(testsIn)
const imports = new Map(tests.map((test) => [test, importsOf(test)]))
const chosen = [...new Set(changed.flatMap(testsOf))].filter((test) => existsSync(test)).sort()

const journeys = changed.filter((file) => /^e2e\/.*\.spec\.ts$/.test(file)).map((file) => basename(file))
if (chosen.length === 0) console.log(`No test of a file that differs from ${base}.`)
else {
  console.log(`${chosen.length} files with tests of what differs from ${base}.`)
  if (chosen.some((test) => test.includes('.browser.'))) process.env.CHROMIUM_PATH = ensureChromium()
  process.exitCode = await runBin('vitest/vitest.mjs', ['run', ...chosen])
}
if (journeys.length > 0) console.log(`Journeys that differ run with: npm run e2e -- ${journeys.join(' ')}`)

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function lines(...args) {
  return git(...args)
    .split('\n')
    .filter(Boolean)
}

function baseOf() {
  const head = git('rev-parse', 'HEAD')
  for (const main of ['main', 'origin/main']) {
    try {
      const left = git('merge-base', 'HEAD', main)
      if (left !== head) return left
    } catch {
      // There is no such branch here.
    }
  }
  return 'HEAD'
}

/**
 * A test stands for itself; a source has the tests beside it by name, those that import it, or else those of its
 * folder.
 */
function testsOf(file) {
  if (isTest(file)) return [file]
  if (!/\.(tsx?|css|sql|json)$/.test(file) || !sources.some((source) => file.startsWith(`${source}/`))) return []
  const name = basename(file).replace(/\..*$/, '')
  const folder = tests.filter((test) => dirname(test) === dirname(file))
  const named = folder.filter((test) => basename(test).startsWith(`${name}.`) || basename(test).startsWith(`${name}-`))
  const importing = tests.filter((test) => imports.get(test)?.has(file.replace(/\.tsx?$/, '')))
  const own = [
    ...named,
    ...(importing.length <= mostImporters ? importing : importing.filter((test) => dirname(test) === dirname(file))),
  ]
  return own.length > 0 ? own : folder
}

function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isTest(entry.name))
    .map((entry) => relative('.', join(entry.parentPath ?? entry.path, entry.name)))
}

/** The files of this repository that a test names itself, without their endings. */
function importsOf(test) {
  const found = readFileSync(test, 'utf8').matchAll(/(?:from|import|import\() ?'([^']+)'/g)
  return new Set(
    [...found].flatMap(([, path = '']) => {
      const ofPackage = /^@parley\/(contract|pdf)\/(.+)$/.exec(path)
      if (ofPackage) return [`packages/${ofPackage[1]}/src/${ofPackage[2]}`]
      return path.startsWith('.') ? [relative('.', resolve(dirname(test), path))] : []
    }),
  )
}

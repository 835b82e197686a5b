// Before Vitest's server tests: the files that they run as processes of their own
// (apps/server/src/testing/run-source.ts). As JavaScript they start in a third of the time that they take from their
// source.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer } from './server-bundle.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const server = join(root, 'apps/server')
const output = join(server, '.cache')
const stampFile = join(output, 'stamp')
const ofTests = readdirSync(join(server, 'src/testing')).filter((file) => /-(node|writer|holder)\.ts$/.test(file))
const programs = ['main.ts', 'admin-command.ts', 'db/migrate-command.ts', ...ofTests.map((file) => `testing/${file}`)]

/** Unless the one that is there was made of the same files. */
async function bundle() {
  const stamp = stampOf([
    'apps/server/src',
    'packages',
    'package-lock.json',
    'scripts/bundle-for-tests.mjs',
    'scripts/server-bundle.mjs',
  ])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  await bundleServer({
    files: Object.fromEntries(programs.map((file) => [parse(file).name, file])),
    to: output,
    sourcemap: false,
  })
  writeFileSync(stampFile, stamp)
}

/** Of names, sizes and times: this runs before every run of a single test. */
function stampOf(inputs) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap((input) => filesOf(join(root, input))).sort()) {
    if (/\.test\.tsx?$/.test(file)) continue
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist'].includes(name))
    .flatMap((entry) => filesOf(join(path, entry.name)))
}

/** @param {import('vitest/node').TestProject} project */
export default async function bundleForTests(project) {
  await bundle()
  project.onTestsRerun(bundle)
}

// npm test: every test. Unit and integration suites (Vitest, also inside a real Chromium), then the browser journeys
// (Playwright). Without a PostgreSQL the short suite, unless --all is given. npm run test:deep: Vitest's random tests
// and kills in their full size, and after them the journeys that have one (scripts/e2e.mjs). RUN_SEED chooses
// the steps. Where WITH_CHECK is set, npm run check too.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { runBin, runWhenIdle } from './run.mjs'

const isDeep = process.argv.includes('--deep')
const isShort = !isDeep && !process.argv.includes('--all') && !process.env.TEST_DATABASE_URL
const results = 'node_modules/.cache/test-results'
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

process.env.CHROMIUM_PATH = ensureChromium()
if (isDeep) process.env.TEST_DEPTH = 'deep'
if (isShort) process.env.TEST_SUITE = 'short'
const startedAt = Date.now()
// While the tests wait, for a database or a timer, the processors build and check.
const built = isDeep ? undefined : runWhenIdle('scripts/build.mjs')
const checked = process.env.WITH_CHECK ? Promise.resolve(built).then(() => runWhenIdle('scripts/check.mjs')) : undefined
const vitest = await runVitest('vitest')
const unit = read(`${results}/vitest.json`)
/** What failed outside every test, in a hook too. */
const errors = vitest !== 0 && unit ? errorsOutsideTests() : []
const repeated = await runErrorsAgain()
const vitestEndedAt = Date.now()
const journeys = isDeep ? undefined : await runJourneys()

const isCheckFailed = ((await checked) ?? 0) !== 0
const report = read(`${results}/playwright.json`)
const counts = {
  passed: (unit?.numPassedTests ?? 0) + (report ? report.stats.expected + report.stats.flaky : 0),
  skipped: (unit?.numPendingTests ?? 0) + (report?.stats.skipped ?? 0),
}

const specs = ofSuites(report?.suites)
const failures = [
  ...(isCheckFailed ? [{ name: 'npm run check', why: ['See above.'] }] : []),
  ...(unit ? unit.testResults.flatMap(failuresOfFile) : [{ name: 'Vitest', why: ['It ended without a report.'] }]),
  ...specs.filter(({ ok }) => !ok).map((spec) => ({ name: nameOf(spec), why: errorsOf(spec) })),
  ...(report?.errors ?? []).map(({ message }) => ({ name: 'Playwright', why: [message ?? ''] })),
  ...(isDeep || report ? [] : [{ name: 'The journeys', why: ['They ended without a report, or the build failed.'] }]),
  ...(repeated === 0 ? [] : errors.map(outsideTests)),
]
const unsteady = [
  ...(unit?.testResults.flatMap(unsteadyOfFile) ?? []),
  ...(repeated === 0 ? errors.map(outsideTests) : []),
  ...specs
    .filter(({ ok, tests }) => ok && tests.some(({ status }) => status === 'flaky'))
    .map((spec) => ({ name: nameOf(spec), why: errorsOf(spec) })),
]

for (const [variable, suites] of [
  [
    'TEST_DATABASE_URL',
    isShort
      ? 'the features of the server, moves between the homes, what takes long in Chromium, and most journeys. ' +
        '`npm test -- --all` runs them on the embedded database, which takes three times as long'
      : 'server suites on PostgreSQL, which ran on the embedded database instead',
  ],
  ['TEST_REDIS_URL', 'what needs Redis: several nodes, and the log of a stream there'],
]) {
  if (!process.env[variable]) console.log(`Left out, because ${variable} is not set: ${suites}.`)
}
printSlowest()
// Why, once more: the reports above are long, and of a long log often only the end is kept.
for (const { name, why } of failures) print('Failed', name, why)
for (const { name, why } of unsteady) print('Unsteady: failed, then passed', name, why)

const isUnnamed = failures.length === 0 && (journeys ?? 0) !== 0
if (isUnnamed) print('Failed', 'Playwright', ['It ended with an error that belongs to no test: see above.'])
const failed = failures.length + (isUnnamed ? 1 : 0)
console.log(`\n${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1

/** Writes its report to `<name>.json`, and what failed outside every test to `<name>-errors.json`. */
function runVitest(name, files = []) {
  process.env.TEST_ERRORS_FILE = `${results}/${name}-errors.json`
  return runBin('vitest/vitest.mjs', [
    'run',
    ...['--reporter=default', '--reporter=json', '--reporter=./scripts/error-reporter.mjs'],
    `--outputFile.json=${results}/${name}.json`,
    ...(isDeep ? ['--testTimeout=600000'] : []),
    ...files,
  ])
}

/**
 * As with a test that fails: where CI is set, what failed outside every test runs once more, all tests of its file (of
 * all files, where an error names none), and is unsteady when nothing fails then.
 * @returns {Promise<number | undefined>} the exit code, or nothing where nothing ran again
 */
async function runErrorsAgain() {
  if (!process.env.CI || errors.length === 0) return undefined
  const files = errors.some(({ file }) => !file) ? [] : [...new Set(errors.map(({ file }) => file))]
  return runVitest('vitest-again', files)
}

async function runJourneys() {
  const code = await built
  if (code !== 0) return code
  return runBin('@playwright/test/cli.js', ['test'], {
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/playwright.json` },
  })
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function ofSuites(suites = []) {
  return suites.flatMap(({ specs: own = [], suites: inner }) => [...own, ...ofSuites(inner)])
}

function nameOf({ file, line, title }) {
  return `e2e/${file}:${line} ${title}`
}

function errorsOf({ tests }) {
  return tests.flatMap(({ results: tries }) => tries.flatMap(({ errors }) => errors.map((error) => error.message)))
}

function failuresOfFile({ name: file, message, assertionResults }) {
  const own = relative(process.cwd(), file)
  return [
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: `${own} ${fullName}`, why: failureMessages })),
    // A file that could not be read or begun has no failed test to say so.
    ...(message ? [{ name: own, why: [message] }] : []),
  ]
}

function errorsOutsideTests() {
  const told = read(`${results}/vitest-errors.json`) ?? []
  if (told.length > 0 || unit.testResults.flatMap(failuresOfFile).length > 0) return told
  return [{ why: [`It ended with code ${vitest} although no test failed.`] }]
}

function outsideTests({ file, test, why }) {
  const place = [file ? relative(process.cwd(), file) : 'Vitest', test].filter(Boolean).join(' ')
  return { name: `${place} (outside every test)`, why }
}

/** What passed and yet has errors failed first. */
function unsteadyOfFile({ name: file, assertionResults }) {
  return assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages }) => ({
      name: `${relative(process.cwd(), file)} ${fullName}`,
      why: failureMessages,
    }))
}

/**
 * So that what is slow is seen when it becomes so. Files run beside each other: their times are more than those of the
 * whole.
 */
function printSlowest() {
  const files = [
    ...(unit?.testResults ?? []).map(({ name, startTime, endTime }) => ({
      name: relative(process.cwd(), name),
      ms: endTime - startTime,
    })),
    ...[...new Set(specs.map(({ file }) => file))].map((file) => ({
      name: `e2e/${file}`,
      ms: msOf(specs.filter((spec) => spec.file === file)),
    })),
  ]
  console.log('\nThe ten slowest files:')
  for (const { name, ms } of files.sort((a, b) => b.ms - a.ms).slice(0, 10))
    console.log(`${seconds(ms).padStart(8)}  ${name}`)
  const parts = [
    `Vitest took ${seconds(vitestEndedAt - startedAt)}`,
    ...(isDeep ? [] : [`the journeys ${seconds(Date.now() - vitestEndedAt)}`]),
  ]
  console.log(`${parts.join(', ')}.\n`)
}

function msOf(ownSpecs) {
  const tries = ownSpecs.flatMap(({ tests }) => tests.flatMap(({ results: all }) => all))
  return tries.reduce((sum, { duration }) => sum + duration, 0)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

function print(what, name, why) {
  const shownLines = 25
  const shownLetters = 400
  console.log(`${what}: ${name}`)
  for (const line of why.flatMap((text) => text.split('\n').slice(0, shownLines)))
    console.log(`    ${line.slice(0, shownLetters)}`)
}

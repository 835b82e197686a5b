// npm test: every test. Unit and integration suites (Vitest, also inside a real Chromium), then the browser journeys (Playwright).
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { run, runBin } from './run.mjs'

const results = 'node_modules/.cache/test-results'
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

process.env.CHROMIUM_PATH = ensureChromium()
const vitest = await runBin('vitest/vitest.mjs', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}/vitest.json`])
const built = await run(process.execPath, ['scripts/build.mjs'], { shell: false })
const journeys = built === 0 ? await runBin('@playwright/test/cli.js', ['test'], { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: `${results}/playwright.json` } }) : 1

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)
const unit = read(`${results}/vitest.json`)
const report = read(`${results}/playwright.json`)
const browser = report?.stats
const passed = (unit?.numPassedTests ?? 0) + (browser?.expected ?? 0)
const failed = (unit?.numFailedTests ?? 1) + (browser ? browser.unexpected + browser.flaky : 1)
const skipped = (unit?.numPendingTests ?? 0) + (browser?.skipped ?? 0)

for (const [variable, suites] of [
  ['TEST_DATABASE_URL', 'server suites on PostgreSQL'],
  ['TEST_REDIS_URL', 'server suites on Redis and on two nodes'],
]) {
  if (!process.env[variable]) console.log(`Left out, because ${variable} is not set: ${suites}. The same suites ran on the built-in counterparts.`)
}
const ofSuites = (suites = []) => suites.flatMap(({ specs = [], suites: inner }) => [...specs, ...ofSuites(inner)])
const failures = [
  ...(unit?.testResults ?? []).flatMap(({ name: file, message, assertionResults }) => [
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ name: `${file} ${fullName}`, why: failureMessages })),
    // A file that could not be read or begun has no failed test to say so.
    ...(message ? [{ name: file, why: [message] }] : []),
  ]),
  ...ofSuites(report?.suites).flatMap(({ ok, file, line, title, tests }) =>
    ok
      ? []
      : [{ name: `${file}:${line} ${title}`, why: tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map((error) => error.message))) }],
  ),
]
// Why, once more: the reports above are long, and of a long log often only the end is kept.
const shownLines = 25
const shownLetters = 400
for (const { name, why } of failures) {
  console.log(`Failed: ${relative(process.cwd(), name)}`)
  for (const line of why.flatMap((text) => text.split('\n').slice(0, shownLines))) console.log(`    ${line.slice(0, shownLetters)}`)
}

console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exit(vitest === 0 && journeys === 0 && failed === 0 ? 0 : 1)

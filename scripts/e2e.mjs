// npm run e2e -- [Playwright options]: the browser journeys alone, also those that are left to npm run test:deep
// (e2e/deep.ts). npm run e2e:kills: the one that kills the browser fifty times, which the tests leave out, and those
// that kill it at each step of a file. npm run e2e:moves: the moves and imports under faults in their full size. The
// tests make both of the latter in a small one.
import { ensureChromium } from './chromium.mjs'
import { run, runBin } from './run.mjs'

/** What an option sets, and which journeys are meant where none is named. */
const sizes = {
  '--with-kills': { variable: 'WITH_KILLS', journeys: 'kills' },
  '--with-moves': { variable: 'WITH_MOVES', journeys: 'moves-under-faults' },
}

process.env.CHROMIUM_PATH = ensureChromium()
process.env.WITH_DEEP = '1'
const given = process.argv.slice(2)
const options = given.filter((option) => !(option in sizes))
const chosen = Object.entries(sizes).flatMap(([option, size]) => (given.includes(option) ? [size] : []))
for (const { variable } of chosen) process.env[variable] = '1'
if (options.length === 0) options.push(...chosen.map(({ journeys }) => journeys))
const built = await run(process.execPath, ['scripts/build.mjs'], { shell: false })
process.exit(built === 0 ? await runBin('@playwright/test/cli.js', ['test', ...options]) : built)

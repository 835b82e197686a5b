// npm run check: types, lint, format, import rules, dead code, lengths of files, state of modules. Every part runs, so
// that one look shows all.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// The longest first: they run beside each other, as many as there are processors. The types are checked by the native
// compiler (`ts7`); dependency-cruiser needs the other one, which therefore keeps the name.
const parts = [
  // One thread each for two projects at a time: more of them look at the same types again.
  ['types', ['ts7/bin/tsc', '-b', '--checkers', '1', '--builders', '2']],
  ['dead code', ['knip/bin/knip.js']],
  [
    'import rules',
    ['dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'e2e'],
    seesModules,
  ],
  ['typed lint', ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  ['file lengths', ['../scripts/check-lengths.mjs']],
  ['no state of modules', ['../scripts/check-state.mjs']],
  ['lint and format', ['@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
]

const failed = []
const waiting = [...parts]
await Promise.all(Array.from({ length: Math.min(parts.length, availableParallelism()) }, work))
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function work() {
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    const [name, [program, ...args], isProof = () => true] = part
    const startedAt = Date.now()
    const { code, output } = await outputOf(program, args)
    console.log(`\n— ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n${output.trimEnd()}`)
    if (code !== 0 || !isProof(output)) failed.push(name)
  }
}

/** Kept until the part has ended: two parts that print at once cannot be read. */
function outputOf(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
      // The compilers in Go collect garbage at three times the usual heap: a quarter less of the processors' time.
      env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0', GOGC: '300', ...process.env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** dependency-cruiser calls an empty tree clean, so the number of modules it saw is checked too. */
function seesModules(output) {
  const modules = Number(/(\d+) modules/.exec(output)?.[1] ?? 0)
  if (modules < 50) console.error(`Only ${modules} modules were seen: the import rules checked nothing.`)
  return modules >= 50
}

// npm run check: types, lint, format, import rules, dead code. Every part runs, so that one look shows all.
import { spawnSync } from 'node:child_process'
import { runBin } from './run.mjs'

const parts = [
  ['types', () => runBin('typescript/bin/tsc', ['-b'])],
  ['lint and format', () => runBin('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '.'])],
  ['typed lint', () => runBin('eslint/bin/eslint.js', ['.', '--max-warnings', '0'])],
  ['import rules', importRules],
  ['dead code', () => runBin('knip/bin/knip.js', [])],
]

/** dependency-cruiser calls an empty tree clean, so the number of modules it saw is checked too. */
function importRules() {
  const result = spawnSync(
    process.execPath,
    ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'e2e'],
    { encoding: 'utf8' },
  )
  process.stdout.write(result.stdout + result.stderr)
  const modules = Number(/(\d+) modules/.exec(result.stdout)?.[1] ?? 0)
  if (modules < 50) console.error(`Only ${modules} modules were seen: the import rules checked nothing.`)
  return modules < 50 ? 1 : (result.status ?? 1)
}

const failed = []
for (const [name, part] of parts) {
  console.log(`\n— ${name}`)
  if ((await part()) !== 0) failed.push(name)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)

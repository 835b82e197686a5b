// npm run bench -- <name> [options]: runs bench/<name>/run.ts; without a name, all of them in turn.
import { existsSync, readdirSync } from 'node:fs'
import { run } from '../scripts/run.mjs'

const here = new URL('.', import.meta.url)
const all = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/run.ts`, here)))
  .map((entry) => entry.name)
const [name, ...options] = process.argv.slice(2)

if (name && !all.includes(name)) {
  console.error(`There is no benchmark "${name}". There are: ${all.join(', ')}`)
  process.exit(2)
}
const built = await run(process.execPath, ['scripts/build.mjs'], { shell: false })
let failed = built
for (const each of built === 0 ? (name ? [name] : all) : []) {
  console.log(`\n# ${each}`)
  failed ||= await run(process.execPath, ['--import', 'tsx', `bench/${each}/run.ts`, ...options], { shell: false })
}
process.exit(failed)

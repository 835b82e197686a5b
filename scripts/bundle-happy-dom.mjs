// Before the tests of the web app: happy-dom as one file. Each test file has a document of its own, and reading the
// library's six hundred files for it takes longer than many a test.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version, dependencies } = JSON.parse(readFileSync(`${root}node_modules/happy-dom/package.json`, 'utf8'))

/** Where the file is: apps/web/src/testing/happy-dom-environment.ts imports it. */
export const happyDomFile = `${root}node_modules/.cache/happy-dom-${version}-named.mjs`

export default async function bundleHappyDom() {
  if (existsSync(happyDomFile)) return
  const unfinished = `${happyDomFile}.${process.pid}.mjs`
  await build({
    stdin: { contents: "export { GlobalWindow } from 'happy-dom'", resolveDir: root },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', outfile: unfinished },
    // By the names of their classes a failed search tells elements apart when it prints the page.
    keepNames: true,
    external: Object.keys(dependencies),
  })
  // Two runs may begin at once.
  renameSync(unfinished, happyDomFile)
}

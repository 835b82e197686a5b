import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'

const bundle = (name: string): string => fileURLToPath(new URL(`../../.cache/${name}`, import.meta.url))

/**
 * A process in place of the one that reads files: `once` runs in the first one that is started, all others are the
 * real one. It may use `frame(kind, text)`, which answers as that does, and `say(text)`, which `said` tells. `pids` are
 * those of all.
 */
export function aReaderThat(once: string, { always = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [program, log, words] = [join(folder, 'program.mjs'), join(folder, 'pids'), join(folder, 'words')]
  for (const file of [log, words]) writeFileSync(file, '')
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync, writeSync } from 'node:fs'
const isFirst = readFileSync(${JSON.stringify(log)}, 'utf8') === ''
appendFileSync(${JSON.stringify(log)}, process.pid + '\\n')
const say = (text) => appendFileSync(${JSON.stringify(words)}, text)
const frame = (kind, text) => {
  const [header, content] = [Buffer.alloc(5), Buffer.from(text)]
  header[0] = kind
  header.writeUInt32BE(content.length, 1)
  writeSync(3, Buffer.concat([header, content]))
}
if (${always} || isFirst) { ${once} }
else await import(${JSON.stringify(pathToFileURL(bundle('reader-child.js')).href)})
`,
  )
  const pids = (): number[] => readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number)
  return { program, pids, said: (): string => readFileSync(words, 'utf8') }
}

export const waitsForever = 'setInterval(() => undefined, 1_000); await new Promise(() => undefined)'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

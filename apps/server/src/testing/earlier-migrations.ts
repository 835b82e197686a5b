import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

type Journal = { entries: { tag: string }[] }

/** A folder with the migrations up to one of them, as the version that brought it had them. It goes with the run. */
export function migrationsUpTo(tag: string): string {
  const folder = mkdtempSync(join(inject('runFolder'), 'migrations-'))
  cpSync(fileURLToPath(new URL('../db/migrations', import.meta.url)), folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal
  const end = journal.entries.findIndex((entry) => entry.tag === tag) + 1
  if (end === 0) throw new Error(`there is no migration ${tag}`)
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
  return folder
}

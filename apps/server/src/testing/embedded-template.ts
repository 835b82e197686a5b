import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/embedded-template/', import.meta.url))
const db = fileURLToPath(new URL('../db/', import.meta.url))
const pglite = fileURLToPath(new URL('../../../../node_modules/@electric-sql/pglite/package.json', import.meta.url))

/**
 * A folder whose `db` is the embedded database as its first start makes it. Kept between runs, as making it takes
 * longer than the tests of most files; made again when PGlite, the code that starts it or a migration changes.
 */
export async function embeddedTemplate(): Promise<string> {
  const folder = join(cache, versionHash())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  const log = createLogger({ level: 'fatal' })
  const onCrash = (error: Error): void => {
    throw error
  }
  const database = await openDatabase({ databaseUrl: undefined, dataDir: unfinished, log, onCrash })
  await database.close()
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** Gives a data folder the embedded database that the template holds. */
export async function copyEmbeddedTemplate(dataDir: string): Promise<void> {
  cpSync(join(await embeddedTemplate(), 'db'), join(dataDir, 'db'), { recursive: true })
}

function versionHash(): string {
  const migrations = readdirSync(join(db, 'migrations')).filter((name) => name.endsWith('.sql'))
  const files = [
    pglite,
    ...['embedded.ts', 'pglite-worker.ts', ...migrations.map((name) => `migrations/${name}`)].map((name) =>
      join(db, name),
    ),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'
import { createDatabase, dropCopies, postgresqlUrl } from './postgresql'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whose folder `db` is the embedded database as its first start makes it. */
    embeddedTemplate: string
    /** The name of a database with all tables; undefined without TEST_DATABASE_URL. */
    postgresqlTemplate: string | undefined
  }
}

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

/** Databases as the first start makes them, once for all test files: making the embedded one takes longer than most of them. */
export default async function makeTemplates(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-template-'))
  await (await openDatabase({ databaseUrl: undefined, dataDir: folder, log, onCrash })).close()
  project.provide('embeddedTemplate', folder)

  const postgresql = postgresqlUrl === undefined ? undefined : await createDatabase()
  if (postgresql) await (await openDatabase({ databaseUrl: postgresql.url, dataDir: folder, log, onCrash })).close()
  project.provide('postgresqlTemplate', postgresql?.name)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    // With those that the workers made of it.
    if (postgresql) await dropCopies(postgresql.name)
    await postgresql?.drop()
  }
}

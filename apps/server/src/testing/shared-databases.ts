import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/client'
import { createLogger } from '../plugins/logging'
import { embeddedTemplate } from './embedded-template'
import { createDatabase, dropCopies, postgresqlUrl } from './postgresql'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where workers put their databases; it goes with the run. */
    runFolder: string
    /** The name of a database with all tables; undefined without TEST_DATABASE_URL. */
    postgresqlTemplate: string | undefined
  }
}

const log = createLogger({ level: 'fatal' })
const onCrash = (error: Error): void => {
  throw error
}

/** Once for all test files: the databases that workers copy. */
export default async function makeTemplates(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-tests-'))
  project.provide('runFolder', folder)
  if (!postgresqlUrl || project.name === 'embedded') await embeddedTemplate()

  const postgresql = postgresqlUrl && project.name !== 'embedded' ? await createDatabase() : undefined
  if (postgresql) {
    const database = await openDatabase({ databaseUrl: postgresql.url, dataDir: folder, log, onCrash })
    await database.close()
  }
  project.provide('postgresqlTemplate', postgresql?.name)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    // With the copies that the workers made of it.
    if (postgresql) await dropCopies(postgresql.name)
    await postgresql?.drop()
  }
}

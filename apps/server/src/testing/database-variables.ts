import { inject, onTestFinished } from 'vitest'
import { copyEmbeddedTemplate } from './embedded-template'
import { createDatabase } from './postgresql'

/**
 * Variables of a server process with a database of its own in which all tables are made: PostgreSQL where the run has
 * it, else the embedded one in `dataDir`.
 */
export async function databaseVariables(dataDir: string): Promise<Record<string, string>> {
  const template = inject('postgresqlTemplate')
  const common = { DATA_DIR: dataDir, REDIS_URL: '', AUTH_SECRET: 'a secret of more than thirty-two characters' }
  if (template === undefined) {
    await copyEmbeddedTemplate(dataDir)
    return { ...common, DATABASE_URL: '' }
  }
  const { url, drop } = await createDatabase(template)
  onTestFinished(drop)
  return { ...common, DATABASE_URL: url }
}

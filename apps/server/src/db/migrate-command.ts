// npm run db:migrate: brings the database up to date without starting the server.
import { EnvError, readEnv } from '../env'
import { createLogger } from '../plugins/logging'
import { openDatabase } from './client'

try {
  const env = readEnv(process.env)
  const database = await openDatabase({
    databaseUrl: env.databaseUrl,
    dataDir: env.dataDir,
    log: createLogger({ level: 'warn' }),
    onCrash: (error) => {
      throw error
    },
  })
  await database.close()
  console.log(`The database (${database.kind}) is up to date.`)
} catch (error) {
  console.error(error instanceof EnvError || error instanceof Error ? error.message : error)
  process.exit(1)
}

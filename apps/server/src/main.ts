// The process: starts the app, prints its address, ends it in order.
import { type App, buildApp } from './app'
import { EnvError, readEnv } from './env'
import { openAdminSocket } from './features/admin/admin-socket'
import { createLogger } from './plugins/logging'

const log = createLogger({ level: 'info' })
const offlineNote =
  'Models: none connected. Start Ollama, LM Studio or llama.cpp on this machine, or set LLM_API_KEY, and start again.'

process.on('uncaughtException', (error) => fail(error, 'uncaught exception'))
process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'))

try {
  await start()
} catch (error) {
  // What a person can put right is one clear line; anything else is a mistake of ours and is logged with its place.
  if (error instanceof EnvError) console.error(error.message)
  else if (error instanceof Error && ['ContentError', 'LockedError', 'NotMigratedError'].includes(error.name))
    console.error(error.message)
  else if (isListenError(error, 'EADDRINUSE'))
    console.error(
      `Port ${process.env.PORT ?? 3000} is in use by another program. Stop it, or choose another: PORT=3100 npm start`,
    )
  else if (isListenError(error, 'EACCES'))
    console.error(`Port ${process.env.PORT ?? 3000} may not be used by this account. Choose one above 1023.`)
  else log.fatal({ err: error }, 'the server could not start')
  process.exit(1)
}

async function start(): Promise<void> {
  const env = readEnv(process.env)
  log.level = env.logLevel
  const app = await buildApp({ env, log, onFatal: (error) => fail(error, 'the embedded database crashed') })
  endOnSignal(app)
  try {
    await app.http.listen({ port: env.port, host: env.host, listenTextResolver: () => 'listening' })
  } catch (error) {
    await app.close()
    throw error
  }

  await openAdminSocket({ dataDir: env.dataDir, run: app.admin, log })
  const address = app.http.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : env.port
  const base = env.isDefaultPublicUrl ? `http://localhost:${port}` : env.publicUrl
  console.log(`\nParley is ready: ${base}/app\n`)
  console.log(
    {
      gateway: 'Models: your gateway answers.',
      local: 'Models: the model server on this machine answers.',
      offline: offlineNote,
    }[app.models],
  )
  if (app.databaseKind === 'pglite')
    console.log(
      'Database: embedded. It survives a crash of the process but not a loss of power; set DATABASE_URL for anything but a trial.',
    )
  if (env.rateLimitScale === 0) log.warn('RATE_LIMIT_SCALE=0: all rate limits are off')
  console.log('')
  await app.checkPrices()
}

function endOnSignal(app: App): void {
  let endingSince: number | undefined
  const end = async (signal: string): Promise<void> => {
    // Ctrl-C in a terminal may arrive twice at once, from the terminal and from `npm start`; a person who presses it
    // again means now.
    if (endingSince !== undefined) return performance.now() - endingSince > 500 ? process.exit(1) : undefined
    endingSince = performance.now()
    log.info({ signal }, 'ending: answers under way may finish')
    await app.drain()
    await app.close()
    log.info('ended')
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(signal))
}

function fail(error: unknown, message: string): never {
  log.fatal({ err: error }, message)
  process.exit(1)
}

function isListenError(error: unknown, code: string): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === code && 'syscall' in error && error.syscall === 'listen'
  )
}

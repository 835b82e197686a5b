// npm run admin -- <command>: the running server does it where there is one on this machine, else this process, on the
// database itself.
import { mkdirSync } from 'node:fs'
import { loadAuthSecrets } from './auth-secret'
import { openDatabase } from './db/client'
import { type Env, EnvError, readEnv } from './env'
import { AdminUsageError, adminUsage, parseAdminCommand } from './features/admin/admin-commands'
import { type AdminResult, AdminService } from './features/admin/admin-service'
import { runOnServer } from './features/admin/admin-socket'
import { createAccessTokens } from './features/auth/access-tokens'
import { createRefreshTokens } from './features/auth/refresh-tokens'
import { SessionService } from './features/auth/session-service'
import { CreditEvents } from './features/credits/public/credit-events'
import { LedgerService } from './features/credits/public/ledger'
import { createPaymentMethods } from './features/payments/payment-methods'
import { PaymentService } from './features/payments/payment-service'
import { ReconciliationService } from './features/payments/public/reconciliation'
import { createLogger } from './plugins/logging'
import { createBus } from './providers/bus/create-bus'
import { createEgress } from './providers/egress'
import { Secrets } from './secrets'

const args = process.argv.slice(2)
try {
  // Before anything is opened: whoever asks how it is written needs no database.
  parseAdminCommand(args, Date.now())
  const env = readEnv(process.env)
  const { isOk, lines } = (await runOnServer(env.dataDir, args)) ?? (await runHere(env))
  for (const line of lines) (isOk ? console.log : console.error)(line)
  process.exitCode = isOk ? 0 : 1
} catch (error) {
  if (error instanceof AdminUsageError) for (const line of [error.message, '', ...adminUsage]) console.error(line)
  else if (error instanceof EnvError) console.error(error.message)
  else if (error instanceof Error && error.name === 'LockedError')
    console.error(
      `${error.message}\nThat server takes no commands. The embedded database is open to one process only: stop the server, or use PostgreSQL.`,
    )
  else console.error(error)
  process.exitCode = 1
}

async function runHere(env: Env): Promise<AdminResult> {
  const log = createLogger({ level: 'warn' })
  const onCrash = (error: Error): void => {
    throw error
  }
  mkdirSync(env.dataDir, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ ...env, log, onCrash })
  const secrets = new Secrets(loadAuthSecrets(env))
  const bus = await createBus({ redisUrl: env.redisUrl, secrets, log })
  const { db } = database
  const now = Date.now
  try {
    const sessions = new SessionService({
      db,
      bus,
      accessTokens: createAccessTokens(secrets, now),
      refreshTokens: createRefreshTokens(secrets),
      now,
    })
    const [ledger, creditEvents] = [new LedgerService({ db, now }), new CreditEvents({ bus, log })]
    const methods = createPaymentMethods(env, createEgress(), now)
    const payments = new PaymentService({ db, ledger, creditEvents, methods, log, now })
    const reconciliation = new ReconciliationService({ db, payments, methods, log, now })
    return await new AdminService({
      db,
      bus,
      ledger,
      creditEvents,
      reconciliation,
      sessions,
      reachesClients: env.redisUrl !== undefined,
      now,
    }).run(args)
  } finally {
    await bus.close()
    await database.close()
  }
}

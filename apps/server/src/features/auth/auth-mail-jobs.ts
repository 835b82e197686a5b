import { fullLanguages } from '@parley/contract/languages'
import { uuidv7 } from '@parley/contract/uuid'
import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { Scheduler } from '../../db/scheduler'
import { type Mail, withoutAddress } from '../../providers/mail'
import type { Secrets } from '../../secrets'
import { type AuthMail, writeAuthMail } from './auth-mails'
import { type MailName, mailTexts } from './mails/mail-texts'

type Deps = {
  scheduler: Scheduler
  secrets: Secrets
  mail: Mail
  publicUrl: string
  log: FastifyBaseLogger
  now: () => number
}

const kind = 'auth.mail'
const minuteMs = 60_000
const retryAfterMinutes = [0.5, 2, 10, 30, 60, 180, 360]

const names = Object.keys(mailTexts) as [MailName, ...MailName[]]
const SealedMail = z.object({ sealed: z.string() })
const StoredMail = z.object({
  name: z.enum(names),
  to: z.object({ email: z.string(), language: z.enum(fullLanguages) }),
  urls: z.array(z.string()),
  code: z.optional(z.string()),
  until: z.number(),
})

/**
 * Sends the mails of accounts as jobs: a mail server that is away, or a node that ends, delays a mail and loses none.
 * They hold addresses and tokens, so that they wait sealed.
 */
export function postAsJobs({ scheduler, secrets, mail, publicUrl, log, now }: Deps): (mail: AuthMail) => void {
  const { hostname } = new URL(publicUrl)
  scheduler.handle(kind, {
    concurrency: 4,
    retryMs: (attempts) => {
      const minutes = retryAfterMinutes[attempts - 1]
      return minutes === undefined ? undefined : minutes * minuteMs
    },
    run: async ({ key, payload }) => {
      const { sealed } = z.parse(SealedMail, payload)
      const stored = z.parse(StoredMail, JSON.parse(secrets.open(kind, sealed, key)))
      if (stored.until < now()) {
        log.error({ mail: stored.name }, 'a mail could not be sent before it was of no use any more')
        return
      }
      try {
        // Under the same id each time: sent twice because a node ended in between, it is one in the mailbox.
        await mail.send({ ...writeAuthMail(stored), messageId: `<${key}@${hostname}>` })
      } catch (error) {
        const failure = withoutAddress(error)
        log.error({ err: failure, mail: stored.name }, 'a mail could not be sent')
        throw failure
      }
    },
  })
  return (authMail) => {
    const key = uuidv7()
    const payload = { sealed: secrets.seal(kind, JSON.stringify(authMail), key) }
    scheduler
      .enqueue({ kind, key, payload })
      .catch((error: unknown) => log.error({ err: error, mail: authMail.name }, 'a mail could not be enqueued'))
  }
}

import type { FullLanguage } from '@parley/contract/languages'
import type { FastifyBaseLogger } from 'fastify'
import { type Mail, withoutAddress } from '../../providers/mail'
import { toMail } from '../../providers/mail-page'
import { type MailName, mailTexts } from './mails/mail-texts'

type To = { email: string; language: FullLanguage }

/** The mails of accounts. None throws and none is waited for: how long a mail takes must not tell whether there is an account. */
export interface AuthMails {
  confirmEmail(to: To, token: string): void
  alreadyRegistered(to: To): void
  /** `redirectTo`: an address of this server; the token follows it as a fragment, which no log and no other site sees. */
  resetPassword(to: To, link: { token: string; redirectTo: string }): void
  oneTimePassword(to: To, password: string): void
  passwordChanged(to: To): void
  accountDeleted(to: To): void
}

export function createAuthMails({ mail, publicUrl, log }: { mail: Mail; publicUrl: string; log: FastifyBaseLogger }): AuthMails {
  const send = ({ email, language }: To, name: MailName, urls: string[] = [], code?: string): void => {
    const { subject, paragraphs, labels, footer } = mailTexts[name][language]
    const links = labels.flatMap((label, index) => (urls[index] ? [{ label, url: urls[index] }] : []))
    const content = toMail({ language, subject, paragraphs, links, footer, ...(code === undefined ? {} : { code }) })
    // Whoever waits for a mail can ask for it again; the operator sees that mails fail.
    mail.send({ to: email, ...content }).catch((error: unknown) => log.error({ err: withoutAddress(error), mail: name }, 'a mail could not be sent'))
  }
  const app = `${publicUrl}/app`
  return {
    confirmEmail: (to, token) => send(to, 'confirmEmail', [`${app}#confirmEmail=${token}`]),
    alreadyRegistered: (to) => send(to, 'alreadyRegistered', [`${publicUrl}/login`]),
    resetPassword: (to, { token, redirectTo }) => send(to, 'resetPassword', [`${redirectTo}#recovery=${token}`, `${publicUrl}/reset-password#token=${token}`]),
    oneTimePassword: (to, password) => send(to, 'oneTimePassword', [`${publicUrl}/login`], password),
    passwordChanged: (to) => send(to, 'passwordChanged', [app]),
    accountDeleted: (to) => send(to, 'accountDeleted'),
  }
}

import type { FullLanguage } from '@parley/contract/languages'
import { serverLimits } from '@parley/contract/limits/server'
import type { MailContent } from '../../providers/mail'
import { toMail } from '../../providers/mail-page'
import { type MailName, mailTexts } from './mails/mail-texts'

type Recipient = { email: string; language: FullLanguage }

/**
 * The mails about accounts. No method throws or waits for the mail, so that the response time does not tell whether an
 * account exists.
 */
export interface AuthMails {
  confirmEmail(to: Recipient, token: string): void
  alreadyRegistered(to: Recipient): void
  /** Appends the token to `redirectTo` as a fragment, which reaches no log and no other site. */
  resetPassword(to: Recipient, link: { token: string; redirectTo: string }): void
  oneTimePassword(to: Recipient, password: string): void
  passwordChanged(to: Recipient): void
  accountDeleted(to: Recipient): void
}

/** One of them, before it is written. After `until`, in ms since 1970, nobody can use it any more. */
export type AuthMail = { name: MailName; to: Recipient; urls: string[]; code?: string | undefined; until: number }

const minuteMs = 60_000
const { confirmHours, resetMinutes, oneTimePasswordMinutes } = serverLimits.auth
const usableMinutes: Record<MailName, number> = {
  confirmEmail: confirmHours * 60,
  alreadyRegistered: 24 * 60,
  resetPassword: resetMinutes,
  oneTimePassword: oneTimePasswordMinutes,
  passwordChanged: 24 * 60,
  accountDeleted: 24 * 60,
}

type Options = { publicUrl: string; post: (mail: AuthMail) => void; now: () => number }

export function createAuthMails({ publicUrl, post, now }: Options): AuthMails {
  const send = (to: Recipient, name: MailName, urls: string[] = [], code?: string): void => {
    const { email, language } = to
    post({ name, to: { email, language }, urls, code, until: now() + usableMinutes[name] * minuteMs })
  }
  const app = `${publicUrl}/app`
  return {
    confirmEmail: (to, token) => send(to, 'confirmEmail', [`${app}#confirmEmail=${token}`]),
    alreadyRegistered: (to) => send(to, 'alreadyRegistered', [`${publicUrl}/login`]),
    resetPassword: (to, { token, redirectTo }) =>
      send(to, 'resetPassword', [`${redirectTo}#recovery=${token}`, `${publicUrl}/reset-password#token=${token}`]),
    oneTimePassword: (to, password) => send(to, 'oneTimePassword', [`${publicUrl}/login`], password),
    passwordChanged: (to) => send(to, 'passwordChanged', [app]),
    accountDeleted: (to) => send(to, 'accountDeleted'),
  }
}

export function writeAuthMail({ name, to: { email, language }, urls, code }: AuthMail): MailContent & { to: string } {
  const { subject, paragraphs, labels, footer } = mailTexts[name][language]
  const links = labels.flatMap((label, index) => (urls[index] ? [{ label, url: urls[index] }] : []))
  const content = toMail({ language, subject, paragraphs, links, footer, ...(code === undefined ? {} : { code }) })
  return { to: email, ...content }
}

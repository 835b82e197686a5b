import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../../plugins/logging'
import { createMail, type MailContent } from '../../../providers/mail'
import { startMailReceiver } from '../../../testing/mail-receiver'
import { bodyText, hrefs, urlsIn, words } from '../../../testing/mail-words'
import { type AuthMail, type AuthMails, createAuthMails, writeAuthMail } from '../auth-mails'
import type { MailName } from './mail-texts'

const publicUrl = 'https://parley.example'
const to = 'ana@example.org'
const token = 'A'.repeat(43)
const password = 'ABCDE-23456-FGHJK-67892'
const redirectTo = `${publicUrl}/settings?tab=security&recoverPassword=true`

type Case = {
  name: MailName
  links: string[]
  says: Record<FullLanguage, RegExp>
  send: (mails: AuthMails, language: FullLanguage) => void
}

const cases: Case[] = [
  {
    name: 'confirmEmail',
    links: [`${publicUrl}/app#confirmEmail=${token}`],
    says: { 'en-US': /24 hours/, 'pt-BR': /24 horas/, 'es-ES': /24 horas/ },
    send: (mails, language) => mails.confirmEmail({ email: to, language }, token),
  },
  {
    name: 'alreadyRegistered',
    links: [`${publicUrl}/login`],
    says: { 'en-US': /nothing was changed/, 'pt-BR': /nada foi alterado/, 'es-ES': /no se ha cambiado nada/ },
    send: (mails, language) => mails.alreadyRegistered({ email: to, language }),
  },
  {
    name: 'resetPassword',
    links: [`${redirectTo}#recovery=${token}`, `${publicUrl}/reset-password#token=${token}`],
    says: { 'en-US': /30 minutes/, 'pt-BR': /30 minutos/, 'es-ES': /30 minutos/ },
    send: (mails, language) => mails.resetPassword({ email: to, language }, { token, redirectTo }),
  },
  {
    name: 'oneTimePassword',
    links: [`${publicUrl}/login`],
    says: {
      'en-US': /15 minutes.*choose a new one/,
      'pt-BR': /15 minutos.*escolha uma nova/,
      'es-ES': /15 minutos.*elige una nueva/,
    },
    send: (mails, language) => mails.oneTimePassword({ email: to, language }, password),
  },
  {
    name: 'passwordChanged',
    links: [`${publicUrl}/app`],
    says: { 'en-US': /Forgot Password/, 'pt-BR': /Esqueci a senha/, 'es-ES': /Olvidé mi contraseña/ },
    send: (mails, language) => mails.passwordChanged({ email: to, language }),
  },
  {
    name: 'accountDeleted',
    links: [],
    says: { 'en-US': /was deleted/, 'pt-BR': /foi excluído/, 'es-ES': /se ha eliminado/ },
    send: (mails, language) => mails.accountDeleted({ email: to, language }),
  },
]

const ifItWasNotYou: Record<FullLanguage, RegExp> = {
  'en-US': /It was not you\?|You did not create/,
  'pt-BR': /Não foi você/,
  'es-ES': /¿No fuiste tú\?|¿No has creado/,
}

/** Through a real mail server, so that what is read is what a mailbox holds. */
async function receive({ send }: Case, language: FullLanguage): Promise<MailContent> {
  const receiver = await startMailReceiver()
  onTestFinished(() => receiver.close())
  const log = createLogger({ level: 'silent', destination: { write: () => undefined } })
  const mail = createMail({ smtpUrl: receiver.url, mailFrom: undefined, dataDir: '/nowhere', log })
  onTestFinished(() => mail.close())
  const post = (authMail: AuthMail): void => void mail.send(writeAuthMail(authMail))
  send(createAuthMails({ publicUrl, post, now: Date.now }), language)
  const { subject = '', text = '', html = '' } = await receiver.next(to)
  return { subject, text, html }
}

describe.each(cases)('the mail $name', (mail) => {
  it.each(fullLanguages)('in %s has each of its links once, in text and in HTML', async (language) => {
    const { text, html } = await receive(mail, language)
    expect(urlsIn(text)).toEqual(mail.links)
    expect(hrefs(html)).toEqual(mail.links)
  })

  it.each(fullLanguages)(
    'in %s says the same in text and in HTML, how long it is good and what to do if it was not you',
    async (language) => {
      const { subject, text, html } = await receive(mail, language)
      expect(subject).toContain('Parley')
      expect(text).toMatch(mail.says[language])
      expect(text).toMatch(ifItWasNotYou[language])
      const withoutUrls = text.replace(/:\n(https?:\/\/\S+)/g, '')
      expect(words(bodyText(html))).toBe(words(withoutUrls))
      expect(html).toContain(`<html lang="${language}">`)
    },
  )

  it('is another one in each language', async () => {
    const mails = await Promise.all(fullLanguages.map((language) => receive(mail, language)))
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(fullLanguages.length)
    expect(new Set(mails.map(({ text }) => text)).size).toBe(fullLanguages.length)
  })
})

it('only the mail of the one-time password holds it', async () => {
  const holders: string[] = []
  for (const mail of cases) {
    const { text, html } = await receive(mail, 'en-US')
    if (text.includes(password) && html.includes(password)) holders.push(mail.name)
  }
  expect(holders).toEqual(['oneTimePassword'])
})

const mailboxes: [RegExp, string][] = [
  [/^(?:gmail|googlemail)\./, 'https://mail.google.com/'],
  [/^(?:outlook|hotmail|live)\./, 'https://outlook.live.com/mail/'],
  [/^(?:yahoo|ymail)\./, 'https://mail.yahoo.com/'],
]

/** The web mailbox of an address, for well-known providers. */
export function mailboxOf(email: string): string | undefined {
  const domain = email.split('@').at(-1)?.toLowerCase() ?? ''
  return mailboxes.find(([pattern]) => pattern.test(domain))?.[1]
}

import '../../i18n/later-texts'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmEmail, recover } from '../../data/session/credentials'
import { closeLoginPanel } from '../../data/session/login-panel'
import { completeSignIn } from '../../data/session/sign-in'
import { storedSession } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { confirmToast, toast } from '../../ui/toast'

/** Links are good once: a second render may not spend one twice. */
const spent = new Set<string>()

/** Takes a link of a mail into use and removes it from the address: signs in, with the address confirmed or ready for a new password. */
export default function MailLink({ kind, token }: { kind: 'confirm' | 'recover'; token: string }) {
  const { t, i18n } = useTranslation()
  const { history } = useRouter()

  useEffect(() => {
    if (spent.has(token)) return
    spent.add(token)
    let next = kind === 'confirm' ? '/app' : '/settings?tab=security'
    const use = async (): Promise<void> => {
      const email = storedSession()?.user.email
      // Anybody can send a link: it puts nobody into another account without a word.
      if (email !== undefined && !(await confirmToast({ message: t('auth.linkElsewhere', { email }), okLabel: t('auth.linkContinue') }))) {
        // Not used: it may be opened again.
        spent.delete(token)
        return
      }
      const answer = await (kind === 'confirm' ? confirmEmail(token) : recover(token))
      await completeSignIn(answer)
      closeLoginPanel()
      if (kind === 'confirm') toast.success(t('auth.emailConfirmed'))
      // In another browser than that of the sign-up its password does not count: one is chosen now.
      if (kind === 'recover' || answer.recovered) next = '/settings?tab=security&recoverPassword=true'
    }
    use()
      .catch((error: unknown) => toast.error(errorMessage(error, i18n.language) ?? t('auth.failed')))
      // Not before: the settings wait for it and would send somebody who is not signed in away.
      .finally(() => history.replace(next))
  }, [kind, token, history, t, i18n.language])
  return null
}

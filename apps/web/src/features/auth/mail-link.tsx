import '../../i18n/later-texts'
import { useEffect } from 'react'
import { confirmEmail, recover } from '../../data/auth/credentials'
import { completeSignIn } from '../../data/auth/sign-in'
import { closeLoginPanel } from '../../data/session/login-panel'
import { storedSession } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { useNavigate } from '../../lib/router/router'
import { confirmToast, toast } from '../../ui/toast'

/** Links work once: a second render must not use one twice. */
const spent = new Set<string>()

/** Uses a mailed link and removes it from the URL: signs in, and confirms the address or starts a password reset. */
export default function MailLink({ kind, token }: { kind: 'confirm' | 'recover'; token: string }) {
  const { t, language } = useTranslation()
  const navigate = useNavigate()

  useEffect(() => {
    if (spent.has(token)) return
    spent.add(token)
    let next = kind === 'confirm' ? '/app' : '/settings?tab=security'
    const use = async (): Promise<void> => {
      const email = storedSession()?.user.email
      // Anybody can send a link: it must not switch the account without consent.
      if (
        email !== undefined &&
        !(await confirmToast({ message: t('auth.linkElsewhere', { email }), okLabel: t('auth.linkContinue') }))
      ) {
        // The link was not used, and can be opened again.
        spent.delete(token)
        return
      }
      const answer = await (kind === 'confirm' ? confirmEmail(token) : recover(token))
      await completeSignIn(answer)
      closeLoginPanel()
      if (kind === 'confirm') toast.success(t('auth.emailConfirmed'))
      // In another browser than the one of the registration the password must be set again.
      if (kind === 'recover' || answer.recovered) next = '/settings?tab=security&recoverPassword=true'
    }
    use()
      .catch((error: unknown) => toast.error(errorMessage(error, language) ?? t('auth.failed')))
      // Not earlier: the settings wait for the hash, and would redirect an anonymous person.
      .finally(() => void navigate(next, { replace: true }))
  }, [kind, token, navigate, t, language])
  return null
}

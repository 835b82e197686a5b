import { fullLanguageOf, type Language } from '@parley/contract/languages'
import { useTranslation } from 'react-i18next'
import { updateLanguage } from '../../data/session/account'
import { useUser } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { toast } from '../../ui/toast'

const reloadAfterMs = 500
/** A server that takes longer is not waited for: the choice is kept here already. */
const serverWaitMs = 3_000

/** Switches the interface at once; for a signed-in person the server hears of it too, and the page reloads. */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const { t, i18n } = useTranslation()
  const isSignedIn = useUser() !== undefined
  return async (language) => {
    await setLanguage(language)
    // Its texts were never loaded and cannot be now: a reload would change nothing.
    if (!i18n.hasResourceBundle(language, 'translation')) return toast.error(t('shell.languageFailed'))
    if (!isSignedIn) return
    toast.loading(t('shell.languageUpdating'))
    await Promise.all([
      // The server only writes its mails in it: failing to tell it is nothing to trouble a person with.
      updateLanguage(fullLanguageOf(language), AbortSignal.timeout(serverWaitMs)).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, reloadAfterMs)),
    ])
    location.reload()
  }
}

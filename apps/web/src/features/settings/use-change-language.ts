import '../../i18n/later-texts'
import { fullLanguageOf, type Language } from '@parley/contract/languages'
import { updateLanguage } from '../../data/auth/account'
import { useUser } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { hasTexts, useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

const reloadAfterMs = 500
/** A slower server is not awaited: the choice is stored on this device already. */
const serverWaitMs = 3_000

/** Switches the interface at once; for a signed-in person the server stores the language too, and the page reloads. */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const { t } = useTranslation()
  const isSignedIn = useUser() !== undefined
  return async (language) => {
    await setLanguage(language)
    // The language's texts could not be loaded: a reload would change nothing.
    if (!hasTexts(language)) return toast.error(t('shell.languageFailed'))
    if (!isSignedIn) return
    toast.loading(t('shell.languageUpdating'))
    await Promise.all([
      // The server uses the language only for mails: a failure need not be reported.
      updateLanguage(fullLanguageOf(language), AbortSignal.timeout(serverWaitMs)).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, reloadAfterMs)),
    ])
    location.reload()
  }
}

import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

/** Runs what a person asks for; a failure is told in a toast. */
export function useAttempt(): (action: () => Promise<unknown>) => Promise<void> {
  const { t, language } = useTranslation()
  return async (action) => {
    try {
      await action()
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('chat.actionFailed'))
    }
  }
}

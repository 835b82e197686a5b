import type { Translate } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { RefusedMessageError } from './fill-cloud'

/** The text of a failed move; where the cloud refuses a message, it names that message. */
export function moveFailure(error: unknown, { t, language }: { t: Translate; language: string }): string {
  const reason =
    error instanceof RefusedMessageError
      ? t('channels.messageRefused', { question: error.question })
      : errorMessage(error, language)
  return t('channels.moveFailed', { message: reason ?? t('channels.unexpected') })
}

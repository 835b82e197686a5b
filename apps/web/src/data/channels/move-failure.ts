import type { Translate } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { RefusedSourceError } from '../sources/source-copies'
import { RefusedMessageError } from './fill-cloud'

/** The text of a failed move; where a message is refused, or one of a chat's sources, it names that one. */
export function moveFailure(error: unknown, { t, language }: { t: Translate; language: string }): string {
  const reason = reasonOf(error, { t, language })
  return t('channels.moveFailed', { message: reason ?? t('channels.unexpected') })
}

function reasonOf(error: unknown, { t, language }: { t: Translate; language: string }): string | undefined {
  if (error instanceof RefusedMessageError) return t('channels.messageRefused', { question: error.question })
  if (!(error instanceof RefusedSourceError)) return errorMessage(error, language)
  const reason = errorMessage(error.reason, language) ?? t('channels.unexpected')
  return t('channels.sourceRefused', { name: error.sourceName, reason })
}

import type { TFunction } from 'i18next'
import { errorMessage } from '../../lib/error-message'
import { RefusedMessageError } from './fill-cloud'

/** Why a chat could not be moved, for the person; where the cloud refuses a message, which one it is. */
export function moveFailure(error: unknown, { t, language }: { t: TFunction; language: string }): string {
  const reason = error instanceof RefusedMessageError ? t('channels.messageRefused', { question: error.question }) : errorMessage(error, language)
  return t('channels.moveFailed', { message: reason ?? t('channels.unexpected') })
}

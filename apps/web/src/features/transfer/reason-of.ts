import '../../i18n/later-texts'
import { dataTypes } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import type { TFunction } from 'i18next'
import { errorMessage } from '../../lib/error-message'

/** What an error of an import says to a person: all that is missing in a data file, or the error's own text. */
export function reasonOf(error: unknown, t: TFunction, language: string): string {
  if (error instanceof AppError && error.code === 'transfer.invalid-data') {
    return t('transfer.invalidData', { reasons: (error.issues ?? []).map(({ message }) => missing(message, t)).join(', ') })
  }
  return errorMessage(error, language) ?? t('transfer.unexpected')
}

function missing(message: string, t: TFunction): string {
  switch (message) {
    case 'Missing metadata':
      return t('transfer.missingMetadata')
    case 'Missing export timestamp':
      return t('transfer.missingExportedAt')
    case 'Missing version info':
      return t('transfer.missingVersion')
    default: {
      const name = dataTypes.find((type) => message === `Invalid ${type} format`)
      return name ? t('transfer.invalidFormat', { name }) : message
    }
  }
}

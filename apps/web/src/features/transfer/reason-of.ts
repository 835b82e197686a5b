import '../../i18n/later-texts'
import { dataTypes } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import type { Translate } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'

/** The text of an import error: all missing parts of a data file, or the error's own text. */
export function reasonOf(error: unknown, t: Translate, language: string): string {
  if (error instanceof AppError && error.code === 'transfer.invalid-data') {
    return t('transfer.invalidData', {
      reasons: (error.issues ?? []).map(({ message }) => missing(message, t)).join(', '),
    })
  }
  return errorMessage(error, language) ?? t('transfer.unexpected')
}

function missing(message: string, t: Translate): string {
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

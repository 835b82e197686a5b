import '../../i18n/later-texts'
import { AppError, type ErrorCode, errorText } from '@parley/contract/errors'
import { GooglePopupError } from '../../data/auth/google-sign-in'
import type { WalletName } from '../../data/auth/sign-in-with-wallet'
import { WalletMissingError } from '../../data/wallets/wallet-missing-error'
import type { Translate } from '../../i18n/interface-language'

type Context = { t: Translate; language: string }

const popupKey = {
  blocked: 'auth.googleBlocked',
  timeout: 'auth.googleTimeout',
  'not-opened': 'auth.googleNotOpened',
  refused: 'auth.googleFailed',
} as const

export function explainGoogle(error: unknown, { t, language }: Context): string {
  if (error instanceof GooglePopupError) return t(popupKey[error.reason])
  if (error instanceof AppError && (error.code.startsWith('auth.') || isTheSameEverywhere(error.code)))
    return errorText(error.code, language)
  return t('auth.googleFailed')
}

const failedKey = { metamask: 'auth.walletFailed', phantom: 'auth.phantomFailed', sui: 'auth.suiFailed' } as const

/**
 * The text for an error of a wallet, or of the server after it. A missing wallet is explained by its install dialog:
 * undefined then, except for MetaMask.
 */
export function explainWallet(name: WalletName, error: unknown, { t, language }: Context): string | undefined {
  if (error instanceof WalletMissingError) {
    if (name !== 'metamask') return undefined
    return t(error.hasOthers ? 'auth.metamaskHidden' : 'auth.metamaskMissing')
  }
  if (error instanceof AppError) {
    const isSaid =
      error.code === 'auth.blocked' ||
      isTheSameEverywhere(error.code) ||
      (error.code === 'auth.wallet-signature' && name !== 'metamask')
    return isSaid ? errorText(error.code, language) : t(failedKey[name])
  }
  return walletWords(error) ?? t(name === 'metamask' ? 'auth.failed' : failedKey[name])
}

const isTheSameEverywhere = (code: ErrorCode): boolean =>
  code === 'network' || code === 'rate-limited' || code.startsWith('storage.')

/**
 * EIP-1193 and EIP-1474: the person rejected the request, or another one is pending. Other codes mean nothing to a
 * person.
 */
const explainedCodes: unknown[] = [4001, -32002]

function walletWords(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !explainedCodes.includes(error.code))
    return undefined
  const words = 'shortMessage' in error ? error.shortMessage : 'message' in error ? error.message : undefined
  return typeof words === 'string' && words.trim() !== '' ? words.slice(0, 200) : undefined
}

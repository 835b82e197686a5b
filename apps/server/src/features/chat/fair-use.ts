import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Bus } from '../../providers/bus/bus'

/** Answers an hour of wallet accounts that the operator pays for. */
export type FairUse = { perWallet: number; perAddress: number; total: number }

type Options = { bus: Bus; fairUse: FairUse; scale: number }

/**
 * Counts one answer for the wallet, for its network address, and for all wallets. Returns the refusal beyond a limit.
 */
export async function fairUseRefusal(
  { subject, address }: { subject: string; address: string },
  { bus, fairUse, scale }: Options,
): Promise<AppError | undefined> {
  if (scale === 0) return undefined
  const counters = [
    { key: subject, most: fairUse.perWallet },
    { key: address, most: fairUse.perAddress },
    { key: 'total', most: fairUse.total },
  ]
  // Stops at the first exceeded counter: a refused answer must not use up the limits of others.
  for (const { key, most } of counters) {
    const { count, resetMs } = await bus.count(`chat:fair-use:${key}`, serverLimits.fairUse.windowMs)
    if (count > most * scale)
      return new AppError('chat.fair-use', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }
  return undefined
}

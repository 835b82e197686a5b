import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Bus } from '../../providers/bus'

/** Paid answers an hour of people with wallets, who are charged nothing. */
export type FairUse = { perWallet: number; perAddress: number; total: number }

type Options = { bus: Bus; fairUse: FairUse; scale: number }

/** Counts one answer of a wallet: for itself, for all wallets of its network address, and for all wallets. The refusal when one of them is used up. */
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
  // In this order, and not further: what one is refused does not count against the others.
  for (const { key, most } of counters) {
    const { count, resetMs } = await bus.count(`chat:fair-use:${key}`, limits.fairUse.windowMs)
    if (count > most * scale) return new AppError('chat.fair-use', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }
  return undefined
}

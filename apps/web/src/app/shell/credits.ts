import { useEffect } from 'react'
import { noteShortage } from '../../data/billing/no-credits-state'
import { lazyExtra } from '../../ui/lazy-part'

export const Credits = lazyExtra(() => import('../../features/billing/credits-box'))

/** Until they are there, nobody knows whether there are enough of them. */
export function CreditsAwaited(): null {
  useEffect(() => noteShortage(undefined), [])
  return null
}

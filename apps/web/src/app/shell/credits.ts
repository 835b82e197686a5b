import { lazyExtra } from '../../ui/lazy-part'

export const Credits = lazyExtra(() => import('../../features/billing/credits-box'))

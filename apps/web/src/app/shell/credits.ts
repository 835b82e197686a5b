import { lazyExtra } from '../../ui/lazy-part'

export const Credits = lazyExtra(() => import('../../features/credits/credits-box'))

import { lazyPart } from '../../ui/lazy-part'

const load = () => import('./channel-parts')

export const ChannelRows = lazyPart(async () => ({ default: (await load()).ChannelRows }))
export const ChannelTools = lazyPart(async () => ({ default: (await load()).ChannelTools }))

/** Preloads the components before the first chat exists. Where they are needed, a failure is shown. */
export const preloadChannelParts = (): Promise<unknown> => load().catch(() => undefined)

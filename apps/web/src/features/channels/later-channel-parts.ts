import { lazyPart } from '../../ui/lazy-part'

const load = () => import('./channel-parts')

export const ChannelRows = lazyPart(async () => ({ default: (await load()).ChannelRows }))
export const ChannelTools = lazyPart(async () => ({ default: (await load()).ChannelTools }))

/** Before the first chat is there. A failure shows where they are asked for. */
export const preloadChannelParts = (): Promise<unknown> => load().catch(() => undefined)

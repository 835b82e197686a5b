import * as z from 'zod/mini'
import { product } from './product'

/**
 * The channels file of document 1: all channels with their chats, readable anywhere. `chats` is keyed by channel id.
 */
export const ChannelsFile = z.object({
  channels: z.array(z.unknown()),
  chats: z.record(z.string(), z.array(z.unknown())),
  exportedAt: z.string(),
  version: z.string(),
})
export type ChannelsFile = z.infer<typeof ChannelsFile>

/** Names that would reach an object's prototype are refused as ids and keys. */
export function isSafeKey(key: string): boolean {
  return key !== '__proto__' && key !== 'constructor' && key !== 'prototype'
}

/** `parley_channels_2026-11-21.json` */
export function channelsFileName(now: Date): string {
  return `${product.slug}_channels_${now.toISOString().slice(0, 10)}.json`
}

/** `Parley_Chat_{name}_{YYYY-MM-DD}.pdf`, the name without characters that a path could not hold. */
export function pdfFileName(channelName: string, now: Date): string {
  const safe = channelName
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 80)
    .replace(/^[\s.]+|[\s.]+$/g, '')
  return `${product.name}_Chat_${safe || 'chat'}_${now.toISOString().slice(0, 10)}.pdf`
}

import { isRtl } from '../lib/direction'

export type Align = 'start' | 'end'
type Box = { left: number; top: number; right: number; bottom: number }
type Size = { width: number; height: number }

const gap = 6
const margin = 8

/**
 * Places a box under its anchor, at the start or the end of its line, or above it where there is no room below, and
 * always inside the window.
 */
export function placeUnder(anchor: Box, size: Size, window: Size, align: Align): { left: number; top: number } {
  const below = anchor.bottom + gap
  const above = anchor.top - gap - size.height
  const fitsBelow = below + size.height <= window.height - margin
  const isAtLeft = (align === 'start') !== isRtl()
  const left = isAtLeft ? anchor.left : anchor.right - size.width
  return {
    left: clamp(left, margin, window.width - margin - size.width),
    top: clamp(fitsBelow || above < margin ? below : above, margin, window.height - margin - size.height),
  }
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

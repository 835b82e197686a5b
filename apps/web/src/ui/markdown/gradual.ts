import { useEffect, useState } from 'react'
import type { BlockGroup } from './markdown-document'

/**
 * Lets the first `step` of something into the page at once and the rest step by step, each in a task of its own, so
 * that no task is long.
 */
export function useGradual(wanted: number, step: number): number {
  const [allowed, setAllowed] = useState(step)
  const isBehind = allowed < wanted
  useEffect(() => {
    if (!isBehind) return
    const channel = new MessageChannel()
    channel.port1.onmessage = () => setAllowed(allowed + step)
    // After the frame that shows the last step: a step and its layout then share no task with the next.
    const frame = requestAnimationFrame(() => channel.port2.postMessage(undefined))
    return () => {
      cancelAnimationFrame(frame)
      channel.port1.close()
    }
  }, [allowed, isBehind, step])
  return Math.min(allowed, wanted)
}

/** Pixels that a group is likely to be high, for as long as it is not drawn. */
export function estimatedHeight(blocks: BlockGroup): number {
  let height = 0
  for (const block of blocks) {
    if (block.kind === 'prose') height += 12 + 26 * Math.ceil(block.text.length / 90)
    else if (block.kind === 'table') height += 48 + 40 * Math.min(block.rowCount, 100)
    else if (block.kind === 'code') height += 70 + 0.5 * block.code.length
    else height += 80
  }
  return Math.round(height)
}

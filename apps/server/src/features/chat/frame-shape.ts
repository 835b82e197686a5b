import { serverLimits } from '@parley/contract/limits/server'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

type Shape = { maxDepth: number; maxValues: number }

/** Whether JSON has no more values, and no deeper nesting, than any frame has. */
export function isFrameShaped(json: Uint8Array): boolean {
  const { maxFrameDepth: maxDepth, maxFrameValues: maxValues } = serverLimits.chat
  return isShaped(json, { maxDepth, maxValues })
}

/**
 * Whether JSON has no more values, and no deeper nesting, than it may. Checked before parsing, because parsing and
 * validation take time for each value. The result for invalid JSON does not matter, because the parser refuses it.
 */
export function isShaped(json: Uint8Array, { maxDepth, maxValues }: Shape): boolean {
  let depth = 0
  let values = 1
  let isInString = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] ?? 0
    if (isInString) {
      if (byte === backslash) index++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === comma) values++
    else if (opening.has(byte)) {
      depth++
      values++
    } else if (closing.has(byte)) depth--
    if (depth > maxDepth || values > maxValues) return false
  }
  return true
}

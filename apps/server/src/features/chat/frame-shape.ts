import { limits } from '@parley/contract/limits'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/**
 * Whether JSON has no more values, and none within more others, than any frame has. Looked at before it is parsed and checked: that takes time for each value,
 * and more for each that is wrong. What is no JSON at all passes or does not; the parser refuses it.
 */
export function isFrameShaped(json: Uint8Array): boolean {
  const { maxFrameDepth, maxFrameValues } = limits.chat
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
    if (depth > maxFrameDepth || values > maxFrameValues) return false
  }
  return true
}

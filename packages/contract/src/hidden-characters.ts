// Characters that cannot be seen and change what is read: they turn the direction of text, join what looks apart, or
// carry words of their own.

const tagFlag = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`
const directions = String.raw`\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069`
const zeroWidth = String.raw`\u00AD\u180E\u200B\u2060-\u2065\u206A-\u206F\uFEFF\uFFF9-\uFFFB`
const blankLetters = String.raw`\u115F\u1160\u2800\u3164\uFFA0`
const tags = String.raw`\u{E0000}-\u{E007F}`
/** Joiners shape Arabic and Indic words and hold emoji together; behind these they do nothing that can be seen. */
const idleJoiner = String.raw`(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\p{Z}])[\u200C\u200D]+`
const hidden = new RegExp(`${tagFlag}|[${directions}${zeroWidth}${blankLetters}${tags}]+|${idleJoiner}`, 'gu')
const isFlag = new RegExp(`^${tagFlag}$`, 'u')

/**
 * A name without the characters that nobody sees: two names that look alike are alike, and none turns the text around
 * it.
 */
export function withoutHidden(name: string): string {
  return name.replace(hidden, (found) => (isFlag.test(found) ? found : ''))
}

/**
 * How many tokens a text is, without any model's own tokenizer: they all differ, and there are hundreds of models.
 * Bytes of UTF-8 are closer than characters, for tokenizers read bytes.
 */
const encoder = new TextEncoder()

/** Of each message, for its role and its borders. */
const perMessage = 8

/** Likely: what an answer is charged by whose gateway reports neither cost nor tokens. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 4)
}

/** What a question is at most, all but a text made to be more: what is held for it. */
export function mostTokensOf(messages: readonly { content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + Math.ceil(encoder.encode(content).length / 2) + perMessage, 0)
}

export function estimateTokensOf(messages: readonly { content: string }[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content) + perMessage, 0)
}

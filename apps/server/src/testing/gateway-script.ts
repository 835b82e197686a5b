export type Usage = { prompt_tokens: number; completion_tokens: number; cost?: number | string | null }

/** In which form a gateway tells what its model thinks: OpenRouter says the same thing in two. */
export type ReasoningForm = 'reasoning' | 'reasoning_content' | 'reasoning_details'

/** A piece of an answer: text, or thinking. */
export type ScriptPiece = string | { thinks: string }

/** How the stand-in answers one question. */
export type GatewayScript = {
  /** The answer; by default it repeats the question. */
  text?: string
  /** What the model thinks before the text. */
  thinks?: string
  /** By default OpenRouter's `reasoning`, with the same in `reasoning_details`. */
  thinksAs?: ReasoningForm
  /** Thinking and text in any order, in the place of `thinks` and `text`. */
  pieces?: readonly ScriptPiece[]
  /** What the gateway found in the web, in OpenRouter's form: told with the first word, and again at the end. */
  annotations?: readonly object[]
  /** By default as fast as the socket accepts it. */
  tokensPerSecond?: number
  /**
   * Pauses the answer after so many characters, of thinking and text, until `release` is called: a test acts there, in
   * mid-answer.
   */
  holdAfter?: number
  /** Before the first byte. */
  delayMs?: number
  /** An HTTP failure instead of an answer. */
  status?: number
  retryAfter?: string
  /** The message of the failure. */
  message?: string
  /** The status is only in the body; the HTTP status is 200. */
  hidesStatus?: boolean
  /**
   * Breaks the stream after so many characters: by an error object, half a chunk, a lost connection, or an end without
   * a finish reason.
   */
  breakAfter?: number
  breakBy?: 'error' | 'half' | 'cut' | 'end'
  /** Sends the whole answer in one write. */
  inOnePiece?: boolean
  /** Reports a usage after so many characters, before the end, as some gateways do. */
  early?: { after: number; usage: Usage }
  /** Sends comments in between, as OpenRouter does while the model thinks. */
  comments?: boolean
  /** Sends bytes that are no UTF-8 in the middle of the text. */
  badUtf8?: boolean
  usage?: Usage
  /** Reports no usage. */
  omitsUsage?: boolean
  /** What GET /generation answers afterwards; the first `missing` calls get 404. */
  generation?: { total_cost: number; tokens_prompt: number; tokens_completion: number; missing?: number }
  /** Ends with a finish reason but without [DONE]. */
  omitsDone?: boolean
}

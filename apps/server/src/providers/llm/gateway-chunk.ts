/** What one chunk of a chat completion says; everything else in it is left alone. Read by hand: this is the hottest path of the server. */
export type GatewayChunk = {
  text: string
  finishReason: string | undefined
  usage: { inputTokens: number; outputTokens: number; cost: bigint | undefined } | undefined
  error: { status: number | undefined; message: string } | undefined
}

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Throws SyntaxError when it is not JSON. */
export function readChunk(data: string): GatewayChunk {
  const json: unknown = JSON.parse(data)
  const chunk = isObject(json) ? json : {}
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : undefined
  return {
    text: typeof delta?.content === 'string' ? delta.content : '',
    finishReason: isObject(choice) && typeof choice.finish_reason === 'string' ? choice.finish_reason : undefined,
    usage: readUsage(chunk.usage),
    error: readError(chunk.error),
  }
}

function readUsage(usage: unknown): GatewayChunk['usage'] {
  if (!isObject(usage)) return undefined
  const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : 0)
  return { inputTokens: count(usage.prompt_tokens), outputTokens: count(usage.completion_tokens), cost: nanoDollars(usage.cost) }
}

function readError(error: unknown): GatewayChunk['error'] {
  if (!isObject(error)) return undefined
  const status = typeof error.code === 'number' ? error.code : typeof error.status === 'number' ? error.status : undefined
  return { status, message: typeof error.message === 'string' ? error.message : '' }
}

/**
 * Dollars to whole nano-dollars, rounded up. A number's shortest text is what the gateway wrote, so no binary fraction comes into it.
 * Undefined for anything that is not a finite amount of 0 or more.
 */
export function nanoDollars(amount: unknown): bigint | undefined {
  const text = typeof amount === 'number' || typeof amount === 'string' ? String(amount) : ''
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text)
  if (!parts) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const digits = BigInt(whole + fraction)
  const shift = 9 + Number(exponent) - fraction.length
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return (digits + divisor - 1n) / divisor
}

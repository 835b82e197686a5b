import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayScript, ReasoningForm, ScriptPiece, Usage } from './gateway-script'

/** Streams an answer as Server-Sent Events of chunks, as its script says. */
export async function streamAnswer(
  response: ServerResponse,
  { ref, model }: { ref: string; model: string },
  script: GatewayScript,
  released: Promise<unknown>,
): Promise<void> {
  const { pieces = [{ thinks: script.thinks ?? '' }, script.text ?? ''] } = script
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: ref, object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`
  const usageChunk = (usage: Usage): string =>
    `data: ${JSON.stringify({ id: ref, object: 'chat.completion.chunk', model, choices: [], usage })}\n\n`
  if (script.inOnePiece) response.cork()
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  if (script.comments) response.write(': OPENROUTER PROCESSING\n\n')
  response.write(chunk({ role: 'assistant', content: '' }))

  const started = performance.now()
  let sentTokens = 0
  let sentCharacters = 0
  let { holdAfter = Number.POSITIVE_INFINITY, early } = script
  const reportEarly = (): void => {
    if (!early || sentCharacters < early.after) return
    response.write(usageChunk(early.usage))
    early = undefined
  }
  reportEarly()
  if (script.breakAfter === 0) return breakOff(response, script.breakBy ?? 'cut')
  for (const { delta, length } of pieces.flatMap((piece) => deltasOf(piece, script.thinksAs))) {
    if (response.destroyed) return
    if (script.breakAfter !== undefined && sentCharacters >= script.breakAfter)
      return breakOff(response, script.breakBy ?? 'cut')
    if (sentCharacters >= holdAfter) {
      holdAfter = Number.POSITIVE_INFINITY
      await released
    }
    if (script.badUtf8 && sentTokens === 3)
      response.write(
        Buffer.concat([
          Buffer.from('data: {"choices":[{"delta":{"content":"'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('"}}]}\n\n'),
        ]),
      )
    const isFirst = sentTokens === 0 && script.annotations
    const hasRoom = response.write(chunk(isFirst ? { ...delta, annotations: script.annotations } : delta))
    sentTokens++
    sentCharacters += length
    reportEarly()
    if (script.comments && sentTokens % 5 === 0) response.write(': OPENROUTER PROCESSING\n\n')
    if (script.tokensPerSecond) {
      const ahead = (sentTokens / script.tokensPerSecond) * 1000 - (performance.now() - started)
      if (ahead > 4) await delay(ahead)
    } else if (!hasRoom && !script.inOnePiece) {
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          response.off('drain', goOn).off('close', goOn)
          resolve()
        }
        response.on('drain', goOn).on('close', goOn)
      })
    }
  }
  if (script.breakAfter !== undefined) return breakOff(response, script.breakBy ?? 'cut')
  response.write(chunk(script.annotations ? { annotations: script.annotations } : {}, { finish_reason: 'stop' }))
  const usage = script.usage ?? { prompt_tokens: 12, completion_tokens: sentTokens }
  if (!script.omitsUsage) response.write(usageChunk(usage))
  response.end(script.omitsDone ? '' : 'data: [DONE]\n\n')
}

function deltasOf(piece: ScriptPiece, form: ReasoningForm | undefined): { delta: object; length: number }[] {
  return tokensOf(typeof piece === 'string' ? piece : piece.thinks).map((token) => ({
    delta: typeof piece === 'string' ? { content: token } : thinkingDelta(token, form),
    length: token.length,
  }))
}

function thinkingDelta(text: string, form: ReasoningForm | undefined): object {
  const details = { reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }] }
  if (form === 'reasoning_details') return { content: '', ...details }
  if (form === 'reasoning_content') return { content: null, reasoning_content: text }
  return { content: '', reasoning: text, ...(form === undefined ? details : {}) }
}

/** Splits a text into words with the spaces before them; long words into pieces. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*\S{1,24}|\s+/g) ?? []
}

function breakOff(response: ServerResponse, by: NonNullable<GatewayScript['breakBy']>): void {
  if (by === 'error')
    response.write(
      `data: ${JSON.stringify({ error: { code: 502, message: 'Provider returned error' }, choices: [] })}\n\n`,
    )
  if (by === 'half') response.write('data: {"choices": [{"delta": {"con\n\n')
  // What was said before has left: otherwise it would be a connection on which nothing was ever said.
  if (by === 'cut') response.write(': cut\n\n', () => response.destroy())
  else response.end()
}

import { serverLimits } from '@parley/contract/limits/server'
import * as z from 'zod/mini'
import type { Egress } from './egress'

/** Makes pictures from words. */
export interface ImageMaker {
  /**
   * The files as the model gives them, in whatever format; nothing of them is to be trusted. Throws when there are
   * none.
   */
  make(prompt: string, count: number): Promise<Buffer[]>
}

type Options = { baseUrl: string; apiKey: string | undefined; model: string; egress: Egress }

const Answer = z.object({ data: z.array(z.object({ b64_json: z.string() })).check(z.minLength(1)) })

/**
 * The image call of an OpenAI-compatible gateway. Pictures come in the answer: an address elsewhere would be a call to
 * anywhere.
 */
export function createImageMaker({ baseUrl, apiKey, model, egress }: Options): ImageMaker {
  const service = egress.service({
    baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  })
  const call = async (body: object) => {
    const response = await service('images/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...body }),
      signal: AbortSignal.timeout(serverLimits.agents.generateTimeoutMs),
    })
    return { status: response.status, isOk: response.isOk, text: await response.text() }
  }
  return {
    async make(prompt, count) {
      const asked = { prompt, n: count }
      const first = await call({ ...asked, response_format: 'b64_json' })
      // Newer models answer so without being asked, and refuse the question.
      const answer = first.status === 400 ? await call(asked) : first
      if (!answer.isOk) throw new Error(`the image model answered ${answer.status}`)
      return z
        .parse(Answer, JSON.parse(answer.text))
        .data.map(({ b64_json: encoded }) => Buffer.from(encoded, 'base64'))
    },
  }
}

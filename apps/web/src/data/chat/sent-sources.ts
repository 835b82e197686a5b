import type { Message } from '@parley/contract/chat'
import { citationsOf, readParts, type SentSource, SentSources } from '@parley/contract/sent-sources'
import * as z from 'zod/mini'
import type { OutboxEntry } from '../channels/outbox'
import { fromBase64 } from '../sources/base64'
import { inflated } from '../sources/deflate'

/**
 * An answer of which the server has not told to the end what it was given and what it cites, because its node is gone:
 * both are known here from what was sent. An answer without a text of this run was given nothing.
 */
export async function withSources({ body }: OutboxEntry, message: Message): Promise<Message> {
  const { compressedDocuments, pictures } = body
  if (compressedDocuments === undefined || isTold(message) || textOfRun(message) === '') return message
  // Without its citations the answer is stored all the same.
  const sent = await sourcesIn(compressedDocuments).catch(() => [])
  const known = message.sources ?? []
  const isKnown = new Set(known.map(({ n }) => n))
  const cited = citationsOf(message.chat_response.content, sent).filter(({ n }) => !isKnown.has(n))
  const [sources, read] = [[...known, ...cited], message.read ?? readParts(sent, pictures)]
  return {
    ...message,
    ...(read.length === 0 ? {} : { read }),
    ...(sources.length === 0 ? {} : { sources }),
  }
}

/** The server has ended the answer, and has told what was read for it. */
const isTold = ({ status, read }: Message): boolean =>
  read !== undefined && (status === 'completed' || status === 'stopped')

const textOfRun = ({ chat_response, run }: Message): string => chat_response.content.slice(run?.base ?? 0).trim()

async function sourcesIn(compressed: string): Promise<SentSource[]> {
  const text = await inflated(new Blob([fromBase64(compressed)]))
  return z.parse(SentSources, JSON.parse(text)).sources
}

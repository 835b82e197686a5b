import { limits } from '@parley/contract/limits'
import type { Shared } from '../../worker/share-inbox'
import { readDraft } from '../channels/drafts'

const answerMs = 5_000

/** A file that is not in the draft. */
type Refused = { name: string; reason: 'too-long' | 'not-text' }
export type SharedDraft = { text: string; refused: Refused[] }

/** The draft of a new chat with what another app has shared at its end. Undefined if nothing has arrived. */
export async function takeSharedDraft(): Promise<SharedDraft | undefined> {
  const shared = await takeShared()
  if (!shared) return undefined
  const refused: Refused[] = []
  const draft = await readDraft('new').catch(() => '')
  // Some apps give the address both by itself and at the end of the text.
  const parts = [draft, shared.title, shared.text, shared.text.includes(shared.url) ? '' : shared.url].filter((part) => part.trim() !== '')
  for (const file of shared.files) {
    const content = await textOf(file)
    const part = `${file.name}\n\n${content}`
    const isTooLong = [...parts, part].join('\n\n').length > limits.chat.maxQuestionLength
    if (content === undefined) refused.push({ name: file.name, reason: 'not-text' })
    else if (isTooLong) refused.push({ name: file.name, reason: 'too-long' })
    else parts.push(part)
  }
  return { text: parts.join('\n\n'), refused }
}

/** Undefined for what is no text, whatever it calls itself. */
async function textOf(file: File): Promise<string | undefined> {
  // A character has at most four bytes: more is not looked at.
  const bytes = await file.slice(0, limits.chat.maxQuestionLength * 4 + 4).arrayBuffer()
  if (file.size > bytes.byteLength) return new TextDecoder().decode(bytes)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text.trim()
  } catch {
    return undefined
  }
}

function takeShared(): Promise<Shared | undefined> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return Promise.resolve(undefined)
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ type: 'TAKE_SHARED' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Shared | undefined>) => resolve(data)
    setTimeout(resolve, answerMs)
  })
}

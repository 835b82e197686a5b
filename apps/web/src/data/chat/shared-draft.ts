import { limits } from '@parley/contract/limits/shared'
import type { Shared } from '../../worker/share-inbox'
import { readDraft } from '../channels/drafts'

const answerMs = 5_000

/** A file that was not added to the draft. */
type RejectedFile = { name: string; reason: 'too-long' | 'not-text' }
export type SharedDraft = { text: string; refused: RejectedFile[] }

/** The draft of a new chat with the content that another app shared at its end. Undefined without shared content. */
export async function readSharedDraft(): Promise<SharedDraft | undefined> {
  const shared = await readShareInbox()
  if (!shared) return undefined
  const refused: RejectedFile[] = []
  const draft = await readDraft('new').catch(() => '')
  // Some apps share the URL both as a field and at the end of the text.
  const parts = [draft, shared.title, shared.text, shared.text.includes(shared.url) ? '' : shared.url].filter(
    (part) => part.trim() !== '',
  )
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

/** The text of a file; undefined where its bytes are no text, whatever its type says. */
async function textOf(file: File): Promise<string | undefined> {
  // A character has at most four bytes: more than that need not be read.
  const bytes = await file.slice(0, limits.chat.maxQuestionLength * 4 + 4).arrayBuffer()
  if (file.size > bytes.byteLength) return new TextDecoder().decode(bytes)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text.trim()
  } catch {
    return undefined
  }
}

function readShareInbox(): Promise<Shared | undefined> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return Promise.resolve(undefined)
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ type: 'TAKE_SHARED' }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Shared | undefined>) => resolve(data)
    setTimeout(resolve, answerMs)
  })
}

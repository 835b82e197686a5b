import type { ServerFrame } from '@parley/contract/chat'
import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { aChatLine } from './chat-line'

export const line = aChatLine()
export const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
/** The questions that went out, oldest first. */
export const asked = () => line.questions().map(({ question }) => question)
/** The questions that wait on the screen; the first one says so. */
export const waiting = () =>
  [...document.querySelectorAll('[data-queued]')].map((row) =>
    row.querySelector('[dir=auto]')?.textContent?.replace(/^Next: /, ''),
  )

/** The last question is accepted, and the answer begins. */
export async function beginAnswer(text: string, count = 1) {
  await waitFor(() => expect(asked()).toHaveLength(count))
  const messageId = line.questions().at(-1)?.messageId ?? ''
  const push = (frame: object): void => line.push({ messageId, mId: messageId, ...frame } as ServerFrame)
  push({ event: 'accepted', seq: 1, model: 'm' })
  push({ event: 'content', seq: 2, content: text })
  await screen.findByText(text)
  const end = async (event: 'end' | 'stopped'): Promise<void> => {
    const message = { mId: messageId, chat_response: { role: 'assistant', content: text } }
    push({ event, seq: 3, message, length: text.length, sha256: await sha256(text) })
  }
  return {
    messageId,
    complete: () => end('end'),
    stopped: () => end('stopped'),
    fail: (code: string) => push({ event: 'error', seq: 3, code, content: 'It broke.' }),
  }
}

async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

import { type ClientFrame, ClientFrame as Frame, type ServerFrame } from '@parley/contract/chat'
import { act } from '@testing-library/react'

/** The page's connections of the chat, and what went out by them. One at a time is open. */
const opened: ChatLine[] = []
const sent: ClientFrame[] = []
/** No connection can be made. */
let isDown = false

/** The browser's side of the chat socket; the test is the server. */
class ChatLine {
  static readonly OPEN = 1
  readyState = 0
  onopen: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null

  constructor() {
    opened.push(this)
    queueMicrotask(() => {
      if (isDown) return this.onclose?.({ code: 1006 })
      this.readyState = ChatLine.OPEN
      this.onopen?.()
    })
  }

  send(text: string): void {
    sent.push(Frame.parse(JSON.parse(text)))
  }

  close(): void {
    this.readyState = 3
  }
}

/** For the whole file: the page keeps its connection from one test to the next. `answers` belong to renderScreen. */
export function aChatLine() {
  Object.assign(globalThis, { WebSocket: ChatLine })
  return {
    answers: { 'POST /api/ws/ticket': () => ({ status: 200, body: { token: 'ticket', expires_in: 30 } }) },
    isOpen: () => opened.at(-1)?.readyState === ChatLine.OPEN,
    /** The questions that went out, oldest first. */
    questions: () => sent.flatMap((frame) => ('route' in frame ? [frame.body] : [])),
    forget: () => void sent.splice(0),
    /** The connection breaks; the page makes another one by itself. */
    drop: () => {
      opened.at(-1)?.close()
      opened.at(-1)?.onclose?.({ code: 1006 })
    },
    /** Whether new connections can be made. */
    setDown: (next: boolean) => {
      isDown = next
    },
    /** All frames that went out, oldest first. */
    sent: (): readonly ClientFrame[] => sent,
    push: (frame: ServerFrame) => act(() => opened.at(-1)?.onmessage?.({ data: JSON.stringify(frame) })),
  }
}

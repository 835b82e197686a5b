import type { Message, ServerFrame } from '@parley/contract/chat'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { OutboxEntry } from '../data/channels/outbox'
import { type ChatEvent, type ChatState, type Effect, emptyChat } from '../data/chat/chat-state'
import { step } from '../data/chat/step'

const tabs = 2
const questions = 3

const idOf = (n: number): string => `0193f000-0000-7000-8000-00000000000${n}`
const entryOf = (n: number): OutboxEntry => ({
  mId: idOf(n),
  body: {
    ...{ question: `Q${n}`, channelId: 'c', messageId: idOf(n), lastMessages: [], assistantId: null },
    ...{ isAudioMessage: false, enableWebSearch: false, typeChat: {}, userLanguage: 'en-US', storageMode: 'cloud' },
  },
})
const messageOf = (n: number): Message => ({
  ...{ mId: idOf(n), channelId: 'c', chat_request: `Q${n}`, chat_response: { role: 'assistant', content: '' } },
  ...{ datetime: '2026-01-01T00:00:00.000Z', status: 'queued', run: { messageId: idOf(n), seq: 0, base: 0 } },
})

type Pending = { tab: Tab; effect: Effect }
/** `asked`: the questions that were asked in this tab, in their order. */
type Tab = { state: ChatState; isOnline: boolean; leases: Set<string>; asked: string[] }
type Answering = { text: string; frames: ServerFrame[]; isOver: boolean; end: string | undefined }

const newTab = (): Tab => ({ state: emptyChat, isOnline: true, leases: new Set(), asked: [] })

/** Tabs of one browser over one storage, and the server: whatever takes time waits in `pending` for its turn. */
export class World {
  tabs: Tab[] = Array.from({ length: tabs }, newTab)
  pending: Pending[] = []
  /** Frames on their way to a tab. */
  lines: { tab: Tab; messageId: string; frame: ServerFrame }[] = []
  outbox = new Map<string, OutboxEntry>()
  stored = new Map<string, Message>()
  removed = new Set<string>()
  server = new Map<string, Answering>()
  finals = new Map<string, number>()

  holderOf = (messageId: string): Tab | undefined => this.tabs.find(({ leases }) => leases.has(messageId))

  dispatch(tab: Tab, event: ChatEvent): void {
    const { state, effects } = step(tab.state, event)
    tab.state = state
    for (const effect of effects) this.begin(tab, effect)
    this.check()
  }

  begin(tab: Tab, effect: Effect): void {
    switch (effect.type) {
      case 'take-lease':
      case 'check':
      case 'return-question':
      case 'store':
        this.pending.push({ tab, effect })
        break
      case 'leave-lease':
        tab.leases.delete(effect.messageId)
        break
      case 'send':
        if (tab.isOnline) this.hear(tab, effect.frame)
        break
      case 'save-partial':
        expect(this.holderOf(effect.messageId)).toBe(tab)
        if (!this.removed.has(effect.messageId)) this.stored.set(effect.messageId, effect.message)
        break
      case 'forget':
        this.outbox.delete(effect.messageId)
        break
      // What people see and hear, and what only repeats.
      default:
    }
  }

  hear(tab: Tab, frame: Extract<Effect, { type: 'send' }>['frame']): void {
    if ('route' in frame) {
      const { messageId } = frame.body
      for (const earlier of tab.asked.slice(0, Math.max(0, tab.asked.indexOf(messageId))))
        if (tab.state.runs[earlier] && !this.server.has(earlier)) throw new Error('asked out of order')
      if (!this.server.has(messageId)) {
        const ids = { messageId, mId: messageId }
        const begun: ServerFrame[] = [{ event: 'accepted', ...ids, seq: 1 }]
        this.server.set(messageId, { text: '', frames: begun, isOver: false, end: undefined })
      }
      this.resume(tab, messageId, 0)
    } else if (frame.event === 'resume') this.resume(tab, frame.messageId, frame.afterSeq)
    else if (frame.event === 'stop-message') this.write(frame.messageId, 'stopped')
  }

  resume(tab: Tab, messageId: string, afterSeq: number): void {
    for (const frame of this.server.get(messageId)?.frames.slice(afterSeq) ?? [])
      this.lines.push({ tab, messageId, frame })
  }

  /** The server goes on with an answer, and tells whoever is connected. */
  write(messageId: string, kind: 'content' | 'end' | 'stopped' | 'failed'): void {
    const answering = this.server.get(messageId)
    if (!answering || answering.isOver) return
    const ids = { messageId, mId: messageId, seq: answering.frames.length + 1 }
    if (kind === 'content') answering.text += `${ids.seq} `
    else answering.isOver = true
    const { text } = answering
    const message = { mId: messageId, chat_response: { role: 'assistant' as const, content: text } }
    const frame: ServerFrame =
      kind === 'content'
        ? { event: 'content', ...ids, content: `${ids.seq} ` }
        : kind === 'failed'
          ? { event: 'error-openrouter', ...ids, code: 'upstream.down', content: 'Later.' }
          : { event: kind, ...ids, message, length: text.length, sha256: '' }
    if (kind !== 'content') answering.end = kind
    answering.frames.push(frame)
    for (const tab of this.tabs) if (tab.isOnline) this.lines.push({ tab, messageId, frame })
  }

  /** Something that takes time is done. */
  settle(at: number, isWell: boolean): void {
    const [{ tab, effect } = {}] = this.pending.length === 0 ? [] : this.pending.splice(at % this.pending.length, 1)
    if (!tab || !effect || !this.tabs.includes(tab)) return
    if (effect.type === 'take-lease') {
      this.lease(tab, effect, isWell)
      return
    }
    if (effect.type === 'check') {
      const { messageId, text } = effect
      this.dispatch(tab, {
        type: 'checked',
        messageId,
        isWhole: isWell && text === this.server.get(messageId)?.text,
      })
      return
    }
    if (effect.type !== 'store') return
    const { messageId } = effect.entry.body
    // As the runner does: what was abandoned meanwhile is not stored.
    if (tab.state.runs[messageId]?.phase !== 'storing') return
    if (!isWell && !this.removed.has(messageId)) {
      this.dispatch(tab, { type: 'store-failed', messageId, error: new Error('full'), isChannelGone: false })
      return
    }
    if (this.removed.has(messageId)) {
      this.dispatch(tab, { type: 'store-failed', messageId, error: new Error('gone'), isChannelGone: true })
      return
    }
    expect(this.holderOf(messageId)).toBe(tab)
    this.stored.set(messageId, effect.message)
    this.outbox.delete(messageId)
    this.finals.set(messageId, (this.finals.get(messageId) ?? 0) + 1)
    this.dispatch(tab, { type: 'stored', messageId })
  }

  lease(tab: Tab, effect: Extract<Effect, { type: 'take-lease' }>, isWell: boolean): void {
    const { messageId } = effect.entry.body
    // Another tab has it: this one waits on.
    if (this.holderOf(messageId)) {
      this.pending.push({ tab, effect })
      return
    }
    tab.leases.add(messageId)
    if (!isWell) {
      this.dispatch(tab, { type: 'lease-failed', messageId })
      tab.leases.delete(messageId)
      tab.asked = tab.asked.filter((each) => each !== messageId)
      return
    }
    const message = this.outbox.has(messageId) ? this.stored.get(messageId) : undefined
    this.dispatch(tab, { type: 'leased', messageId, message })
  }

  /** A tab is closed, and another one opened in its stead. */
  reload(at: number): void {
    const before = this.tabs[at % tabs]
    if (!before) return
    this.dispatch(before, { type: 'dispose' })
    expect(step(before.state, { type: 'connected' }).effects).toEqual([])
    expect(before.leases.size).toBe(0)
    this.tabs[at % tabs] = newTab()
  }

  recover(at: number): void {
    const tab = this.tabs[at % tabs]
    if (tab) for (const entry of this.outbox.values()) this.dispatch(tab, { type: 'asked', entry, isLeft: true })
  }

  /** What holds after every event. */
  check(): void {
    for (let n = 0; n < questions; n++) {
      const messageId = idOf(n)
      const receiving = this.tabs.filter(({ state }) => state.runs[messageId]?.receiving)
      if (receiving.length > 1) throw new Error('received in two tabs')
      for (const tab of receiving) if (!tab.leases.has(messageId)) throw new Error('received without a lease')
      for (const { state, leases } of this.tabs)
        if (leases.has(messageId) && state.runs[messageId]?.phase === 'unsaved') throw new Error('a lease is kept')
    }
  }

  act({ kind, at, other, isWell }: Action): void {
    const tab = this.tabs[other % tabs]
    const messageId = idOf(at % questions)
    if (!tab) return
    switch (kind) {
      case 'ask': {
        if (this.stored.has(messageId) || this.removed.has(messageId)) return
        const entry = entryOf(at % questions)
        this.outbox.set(messageId, entry)
        this.stored.set(messageId, messageOf(at % questions))
        tab.asked.push(messageId)
        this.dispatch(tab, { type: 'asked', entry, isLeft: false })
        break
      }
      case 'write':
        this.write(messageId, 'content')
        break
      case 'end':
        this.write(messageId, isWell ? 'end' : 'failed')
        break
      case 'deliver':
        this.deliver(at, isWell)
        break
      case 'settle':
        this.settle(at, isWell)
        break
      case 'stop':
        this.dispatch(tab, { type: 'stop', messageId, isOnline: tab.isOnline })
        break
      case 'lose':
        tab.isOnline = false
        this.lines = this.lines.filter((line) => line.tab !== tab)
        if (isWell) this.dispatch(tab, { type: 'lost' })
        break
      case 'connect':
        tab.isOnline = true
        this.dispatch(tab, { type: 'connected' })
        break
      case 'again':
        this.dispatch(tab, { type: 'ask-again', messageId })
        break
      case 'hide':
        this.dispatch(tab, { type: 'page-hidden' })
        break
      case 'recover':
        this.recover(other)
        break
      case 'reload':
        this.reload(other)
        break
      case 'remove':
        if (!this.outbox.has(messageId) || !isWell) return
        this.removed.add(messageId)
        this.outbox.delete(messageId)
        for (const each of this.tabs) this.dispatch(each, { type: 'abandon', messageId })
    }
  }

  /** `isWell`: the oldest frame; otherwise one is lost on its way. */
  deliver(at: number, isWell: boolean): void {
    const [line] = this.lines.splice(isWell ? 0 : at % Math.max(1, this.lines.length), 1)
    if (line && isWell && this.tabs.includes(line.tab))
      this.dispatch(line.tab, { type: 'frame', messageId: line.messageId, frame: line.frame })
  }

  isQuiet(): boolean {
    const isAway = this.tabs.some(({ state }) => Object.keys(state.runs).length > 0)
    return this.outbox.size === 0 && !isAway && this.pending.length === 0
  }

  /** From now on all goes well. */
  calm(): void {
    for (let n = 0; n < questions; n++) this.write(idOf(n), 'end')
    for (let round = 0; round < 60 && !this.isQuiet(); round++) {
      for (const tab of this.tabs) {
        tab.isOnline = true
        this.dispatch(tab, { type: 'connected' })
      }
      for (let n = 0; n < tabs; n++) this.recover(n)
      for (let count = this.pending.length; count > 0; count--) this.settle(0, true)
      for (let n = 0; n < questions; n++) this.write(idOf(n), 'end')
      while (this.lines.length > 0) this.deliver(0, true)
      for (let count = this.pending.length; count > 0; count--) this.settle(0, true)
    }
  }
}

export const action = fc.record({
  kind: fc.constantFrom(
    ...(['ask', 'ask', 'write', 'end', 'deliver', 'deliver', 'deliver', 'settle', 'settle', 'settle', 'stop'] as const),
    ...(['lose', 'connect', 'again', 'hide', 'recover', 'reload', 'remove'] as const),
  ),
  at: fc.nat(100),
  other: fc.nat(100),
  isWell: fc.boolean(),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

import type { Message, ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { OutboxEntry } from '../data/channels/outbox'
import type { Ask, AskEffect } from '../data/chat/ask'
import { type ChatEvent, type ChatState, type Effect, emptyChat } from '../data/chat/chat-state'
import { step } from '../data/chat/step'
import { AnsweringServer } from './answering-server'
import { Asking } from './asking-tabs'

const tabs = 2

/** `asked`: the runs that were begun in this tab, in their order. `next`: of the person who has signed in since. */
export type Tab = {
  state: ChatState
  isOnline: boolean
  leases: Set<string>
  asked: string[]
  next: Tab | undefined
}
type RunEffect = Extract<Effect, { type: 'take-lease' | 'check' | 'return-question' | 'store' }>
type Pending = { tab: Tab; effect: RunEffect | AskEffect }

const newTab = (): Tab => ({ state: emptyChat, isOnline: true, leases: new Set(), asked: [], next: undefined })

/** Tabs of one browser over one storage, and the server: whatever takes time waits in `pending` for its turn. */
export class World {
  tabs: Tab[] = Array.from({ length: tabs }, newTab)
  /** Their person has left; what was asked in them is still being stored. */
  left: Tab[] = []
  pending: Pending[] = []
  /** Frames on their way to a tab. */
  lines: { tab: Tab; messageId: string; frame: ServerFrame }[] = []
  outbox = new Map<string, OutboxEntry>()
  /** By run. */
  stored = new Map<string, Message>()
  /** As they were when they were asked. */
  asked = new Map<string, Message>()
  removed = new Set<string>()
  server = new AnsweringServer()
  finals = new Map<string, number>()
  asking = new Asking(this)
  now = 0
  private ids = 0

  newId = (): string => `0193f000-0000-7000-8000-${String(this.ids++).padStart(12, '0')}`

  holderOf = (messageId: string): Tab | undefined => this.tabs.find(({ leases }) => leases.has(messageId))

  /** The newest run of a message. */
  messageOf = (mId: string): Message | undefined => [...this.stored.values()].findLast((each) => each.mId === mId)

  dispatch(tab: Tab, event: ChatEvent): void {
    const { state, effects } = step(tab.state, event)
    tab.state = state
    for (const effect of effects) this.begin(tab, effect)
    this.check()
  }

  track(tab: Tab, entry: OutboxEntry, isLeft: boolean): void {
    if (!isLeft) tab.asked.push(entry.body.messageId)
    this.dispatch(tab, { type: 'asked', entry, isLeft })
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
      case 'connect':
      case 'await-acceptance':
      case 'accepted':
      case 'schedule-save':
      case 'store-later':
      case 'show':
      case 'hide':
      case 'notify':
      case 'suggest-name':
        break
      default:
        if (!this.asking.begin(tab, effect)) this.pending.push({ tab, effect })
    }
  }

  hear(tab: Tab, frame: Extract<Effect, { type: 'send' }>['frame']): void {
    if ('route' in frame && frame.body.storageMode === 'cloud') {
      const own = tab.asked.filter((each) => this.asked.get(each)?.channelId === frame.body.channelId)
      for (const earlier of own.slice(0, Math.max(0, own.indexOf(frame.body.messageId))))
        if (tab.state.runs[earlier] && !this.server.answers.has(earlier)) throw new Error('asked out of order')
    }
    const heard = this.server.hear(frame)
    if (!heard) return
    for (const each of heard.own) this.lines.push({ tab, messageId: heard.messageId, frame: each })
    this.tell(heard.messageId, heard.all)
  }

  tell(messageId: string, frames: readonly ServerFrame[]): void {
    for (const frame of frames)
      for (const tab of this.tabs) if (tab.isOnline) this.lines.push({ tab, messageId, frame })
  }

  write(messageId: string, kind: 'content' | 'end' | 'failed'): void {
    this.tell(messageId, this.server.write(messageId, kind))
  }

  /** Something that takes time is done. */
  settle(at: number, isWell: boolean): void {
    const [{ tab, effect } = {}] = this.pending.length === 0 ? [] : this.pending.splice(at % this.pending.length, 1)
    if (!tab || !effect) return
    const isRun = effect.type === 'take-lease' || effect.type === 'check' || effect.type === 'store'
    if (!isRun && effect.type !== 'return-question') {
      this.asking.settle(tab, effect, isWell)
      return
    }
    if (!this.tabs.includes(tab)) return
    if (effect.type === 'take-lease') this.lease(tab, effect, isWell)
    else if (effect.type === 'check') {
      const isWhole = isWell && effect.text === this.server.answers.get(effect.messageId)?.text
      this.dispatch(tab, { type: 'checked', messageId: effect.messageId, isWhole })
    } else if (effect.type === 'store') this.store(tab, effect, isWell)
  }

  store(tab: Tab, { entry, message }: Extract<Effect, { type: 'store' }>, isWell: boolean): void {
    const { messageId } = entry.body
    // As the runner does: what was abandoned meanwhile is not stored.
    if (tab.state.runs[messageId]?.phase !== 'storing') return
    const isChannelGone = this.removed.has(messageId)
    if (!isWell || isChannelGone) {
      this.dispatch(tab, { type: 'store-failed', messageId, error: new Error('full'), isChannelGone })
      return
    }
    expect(this.holderOf(messageId)).toBe(tab)
    this.stored.set(messageId, message)
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

  /** A tab is closed, and another one opened in its stead; or its person leaves, and the next one goes on in it. */
  replace(at: number, how: 'closed' | 'left'): void {
    const before = this.tabs[at % tabs]
    if (!before) return
    this.dispatch(before, { type: 'dispose' })
    expect(step(before.state, { type: 'connected' }).effects).toEqual([])
    expect(before.leases.size).toBe(0)
    const next = newTab()
    this.tabs[at % tabs] = next
    const isOfTab = (tab: Tab): boolean => tab === before || tab.next === before
    if (how === 'closed') {
      for (const tab of [before, ...this.left.filter(isOfTab)]) this.asking.close(tab)
      this.pending = this.pending.filter(({ tab }) => !isOfTab(tab))
      this.left = this.left.filter((tab) => !isOfTab(tab))
      return
    }
    for (const tab of this.left) if (tab.next === before) tab.next = next
    this.left.push(Object.assign(before, { next, isOnline: false }))
  }

  recover(at: number): void {
    const tab = this.tabs[at % tabs]
    if (tab) for (const entry of [...this.outbox.values()]) this.track(tab, entry, true)
  }

  remove(messageId: string): void {
    this.removed.add(messageId)
    this.outbox.delete(messageId)
    for (const each of this.tabs) this.dispatch(each, { type: 'abandon', messageId })
  }

  /** What holds after every event. */
  check(): void {
    for (const messageId of this.asked.keys()) {
      const receiving = this.tabs.filter(({ state }) => state.runs[messageId]?.receiving)
      if (receiving.length > 1) throw new Error('received in two tabs')
      for (const tab of receiving) if (!tab.leases.has(messageId)) throw new Error('received without a lease')
      for (const { state, leases } of this.tabs)
        if (leases.has(messageId) && state.runs[messageId]?.phase === 'unsaved') throw new Error('a lease is kept')
    }
    this.asking.check([...this.tabs, ...this.left])
  }

  act({ kind, at, other, isWell }: Action): void {
    const tab = this.tabs[other % tabs]
    const ids = [...this.asked.keys()]
    const messageId = ids[at % Math.max(1, ids.length)] ?? ''
    if (!tab) return
    const ask = (what: Ask['kind']) => (): void => this.asking.askSomething(tab, what, at)
    const acts: Record<Action['kind'], () => void> = {
      question: ask('question'),
      queued: ask('queued'),
      edit: ask('edit'),
      again: ask('again'),
      continue: ask('continue'),
      write: () => this.write(messageId, 'content'),
      end: () => this.write(messageId, isWell ? 'end' : 'failed'),
      deliver: () => this.deliver(at, isWell),
      settle: () => this.settle(at, isWell),
      stop: () => this.dispatch(tab, { type: 'stop', messageId, isOnline: tab.isOnline }),
      lose: () => {
        tab.isOnline = false
        this.lines = this.lines.filter((line) => line.tab !== tab)
        if (isWell) this.dispatch(tab, { type: 'lost' })
      },
      connect: () => {
        tab.isOnline = true
        this.dispatch(tab, { type: 'connected' })
      },
      'again-asked': () => this.dispatch(tab, { type: 'ask-again', messageId }),
      hide: () => this.dispatch(tab, { type: 'page-hidden' }),
      recover: () => this.recover(other),
      reload: () => this.replace(other, isWell ? 'closed' : 'left'),
      remove: () => (isWell && this.outbox.has(messageId) ? this.remove(messageId) : undefined),
      wait: () => {
        this.now += webLimits.chat.duplicateGuardMs
      },
    }
    acts[kind]()
  }

  /** `isWell`: the oldest frame; otherwise one is lost on its way. */
  deliver(at: number, isWell: boolean): void {
    const [line] = this.lines.splice(isWell ? 0 : at % Math.max(1, this.lines.length), 1)
    if (line && isWell && this.tabs.includes(line.tab))
      this.dispatch(line.tab, { type: 'frame', messageId: line.messageId, frame: line.frame })
  }

  isQuiet(): boolean {
    const isAway = [...this.tabs, ...this.left].some(
      ({ state }) => Object.keys(state.runs).length > 0 || Object.keys(state.asks).length > 0,
    )
    return this.outbox.size === 0 && !isAway && this.pending.length === 0
  }

  /** From now on all goes well. */
  calm(): void {
    for (let round = 0; round < 100 && !this.isQuiet(); round++) {
      for (const tab of this.tabs) {
        tab.isOnline = true
        this.dispatch(tab, { type: 'connected' })
      }
      for (let n = 0; n < tabs; n++) this.recover(n)
      for (let count = this.pending.length; count > 0; count--) this.settle(0, true)
      for (const messageId of this.asked.keys()) this.write(messageId, 'end')
      while (this.lines.length > 0) this.deliver(0, true)
      for (let count = this.pending.length; count > 0; count--) this.settle(0, true)
    }
  }
}

export const action = fc.record({
  kind: fc.constantFrom(
    ...(['question', 'question', 'queued', 'edit', 'again', 'continue', 'write', 'end', 'stop', 'wait'] as const),
    ...(['deliver', 'deliver', 'deliver', 'deliver', 'settle', 'settle', 'settle', 'settle', 'settle'] as const),
    ...(['lose', 'connect', 'again-asked', 'hide', 'recover', 'reload', 'remove'] as const),
  ),
  at: fc.nat(100),
  other: fc.nat(100),
  isWell: fc.boolean(),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

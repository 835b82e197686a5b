import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { expect } from 'vitest'
import type { OutboxEntry } from '../data/channels/outbox'
import type { Ask, AskEffect, Found } from '../data/chat/ask'
import type { Tab, World } from './chat-world'

const channelIds = ['cloud', 'device'] as const

const channelOf = (id: string): Channel => ({
  ...{ id, userId: null, channelName: id, assistantId: null, isDocument: false, isImage: false, isYoutube: false },
  ...{ isLocked: false, created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  ...{ isLocalChannel: id !== 'cloud', source: id === 'cloud' ? 'postgresql' : 'indexeddb' },
})

const idOfAsk = (effect: AskEffect): string => ('ask' in effect ? effect.ask.id : 'id' in effect ? effect.id : '')

/** What tabs do for what is asked in them, over one storage: a stand-in for the runner of the effects. */
export class Asking {
  /** Who holds what waits in a channel, and the answers that it has stopped. */
  rooms = new Map<string, { tab: Tab; id: string; stopped: string[] }>()
  asked = new Map<string, { tab: Tab; ask: Ask }>()
  outcomes = new Map<string, string>()

  constructor(private readonly world: World) {}

  ask(tab: Tab, ask: Ask): void {
    const before = tab.state
    this.asked.set(ask.id, { tab, ask })
    this.world.dispatch(tab, { type: 'ask', ask, at: this.world.now })
    if (this.outcomes.get(ask.id) === 'refused') expect(tab.state).toBe(before)
  }

  /** Asks something of a message that is there, or of a channel. */
  askSomething(tab: Tab, kind: Ask['kind'], at: number): void {
    const id = this.world.newId()
    const channelId = channelIds[at % channelIds.length] ?? 'device'
    const text = `Q${at % 3}`
    const mode = channelId === 'cloud' ? 'cloud' : 'local'
    const all = [...this.world.stored.values()].filter((each) => each.channelId === channelId)
    const mId = all[at % Math.max(1, all.length)]?.mId
    const isLost = Object.values(tab.state.runs).some(
      ({ entry, receiving }) => entry.mId === mId && receiving?.isPaused,
    )
    if (kind === 'question') {
      const to = at % 10 === 9 ? undefined : channelId
      this.ask(tab, { id, kind, channelId: to, text, files: [], mode, isTemporary: false })
    } else if (kind === 'queued') this.ask(tab, { id, kind, channelId, text, files: [] })
    else if (mId === undefined) return
    else if (kind === 'edit') this.ask(tab, { id, kind, channelId, mId, text })
    else if (kind === 'again') this.ask(tab, { id, kind, channelId, mId, modelId: undefined, isLost })
    else this.ask(tab, { id, kind, channelId, mId, prompt: 'Go on', isLost })
  }

  /** Answers false where it takes time. */
  begin(tab: Tab, effect: AskEffect): boolean {
    switch (effect.type) {
      case 'answer-ask':
        if (this.outcomes.has(effect.id)) throw new Error('answered twice')
        this.outcomes.set(effect.id, effect.outcome.kind)
        if (effect.outcome.kind !== 'stored') expect(this.world.asked.has(effect.id)).toBe(false)
        return true
      case 'leave-room':
        for (const [channelId, { id }] of this.rooms) if (id === effect.id) this.rooms.delete(channelId)
        return true
      case 'hand-over':
        expect(tab.next).toBeDefined()
        if (tab.next) this.world.track(tab.next, effect.entry, false)
        return true
      case 'note-asked':
      case 'note-shown':
        return true
      default:
        return false
    }
  }

  settle(tab: Tab, effect: AskEffect, isWell: boolean): void {
    const { world } = this
    const id = idOfAsk(effect)
    const fail = (): void => world.dispatch(tab, { type: 'ask-failed', id, error: new Error('full') })
    if (effect.type === 'admit') world.dispatch(tab, { type: 'admitted', id, isAdmitted: isWell })
    else if (effect.type === 'await-ends' && !effect.messageIds.some((each) => this.isHeld(tab, each)))
      world.dispatch(tab, { type: 'answers-ended', id })
    else if (!isWell) fail()
    else if (effect.type === 'await-ends') world.pending.push({ tab, effect })
    else if (effect.type === 'take-room') this.takeRoom(tab, effect)
    else if (effect.type === 'find') {
      const found = this.find(effect.ask)
      if (found) world.dispatch(tab, { type: 'found', id, found, at: world.now })
      else fail()
    } else if (effect.type === 'drop-answers') {
      for (const entry of [...world.outbox.values()]) if (entry.mId === effect.mId) world.remove(entry.body.messageId)
      world.dispatch(tab, { type: 'dropped', id })
    } else if (effect.type === 'store-question') this.store(tab, effect)
  }

  /** Whether a tab has the lease of a run, or waits for it. */
  private isHeld = (tab: Tab, messageId: string): boolean =>
    tab.leases.has(messageId) ||
    this.world.pending.some(
      ({ tab: other, effect }) =>
        other === tab && effect.type === 'take-lease' && effect.entry.body.messageId === messageId,
    )

  private takeRoom(tab: Tab, effect: Extract<AskEffect, { type: 'take-room' }>): void {
    const { id, channelId } = effect
    // Another one has it: this one waits on.
    if (this.rooms.has(channelId)) {
      this.world.pending.push({ tab, effect })
      return
    }
    const running = [...this.world.outbox.values()]
      .filter(({ body }) => body.channelId === channelId)
      .map(({ body: { messageId } }) => ({
        messageId,
        isLost: tab.state.runs[messageId]?.receiving?.isPaused === true,
      }))
    const stopped = running.filter(({ isLost }) => !isLost).map(({ messageId }) => messageId)
    this.rooms.set(channelId, { tab, id, stopped })
    this.world.dispatch(tab, { type: 'room-taken', id, running, isOnline: tab.isOnline })
  }

  private find(ask: Ask): Found | undefined {
    const channelId = ask.channelId ?? 'device'
    if (ask.kind === 'question' || ask.kind === 'queued')
      return { kind: 'channel', channel: channelOf(channelId), isNew: !ask.channelId, files: [], path: [] }
    const message = this.world.messageOf(ask.mId)
    if (!message) return undefined
    const { afterRunId: _after, ...fields } = message
    const isAccepted = this.world.server.answers.has(message.run?.messageId ?? '')
    const read: Message = isAccepted ? { ...fields, afterRunId: null } : fields
    return { kind: 'message', message: read, before: [], channel: channelOf(channelId), isBranchable: true }
  }

  private store(tab: Tab, { id, run: { message, question } }: Extract<AskEffect, { type: 'store-question' }>): void {
    const { world } = this
    const { mId, channelId } = message
    const ask = this.asked.get(id)?.ask
    const messageId = message.run?.messageId ?? mId
    if (ask?.kind === 'edit' || ask?.kind === 'again') {
      const room = this.rooms.get(channelId)
      if (room?.id !== id) throw new Error('stored without the room')
      for (const each of room.stopped) if (tab.state.runs[each]?.receiving) throw new Error('two runs in a channel')
    }
    expect(messageId).toBe(id)
    expect(world.asked.has(id)).toBe(false)
    const mode = channelId === 'cloud' ? 'cloud' : 'local'
    const entry: OutboxEntry = {
      mId,
      body: {
        ...{ question, channelId, messageId, lastMessages: [], assistantId: null, isAudioMessage: false },
        ...{ enableWebSearch: false, typeChat: {}, userLanguage: 'en-US', storageMode: mode },
        ...(messageId === mId ? {} : { mId }),
      },
    }
    world.outbox.set(messageId, entry)
    world.stored.set(messageId, message)
    world.asked.set(messageId, message)
    if (!tab.state.isDisposed) tab.asked.push(messageId)
    world.dispatch(tab, { type: 'question-stored', id, entry, at: world.now })
    if (!tab.state.isDisposed) expect(tab.state.runs[messageId]?.entry).toBe(entry)
  }

  /** Their tab is gone, and what was being done for them with it. */
  close(tab: Tab): void {
    for (const [channelId, room] of this.rooms) if (room.tab === tab) this.rooms.delete(channelId)
    for (const [id, each] of this.asked) if (each.tab === tab && !this.outcomes.has(id)) this.outcomes.set(id, 'closed')
  }

  /** What holds after every event. */
  check(tabs: readonly Tab[]): void {
    for (const { state } of tabs) {
      const keys = Object.values(state.asks).flatMap(({ ask }) =>
        'mId' in ask ? [`${ask.kind === 'edit' ? 'edit' : 'rerun'} ${ask.mId}`] : [],
      )
      if (new Set(keys).size < keys.length) throw new Error('one message is asked anew twice at a time')
    }
  }
}

import { notify } from './chat-notices'
import type { ChatRunner, RunnerOptions } from './chat-runner'
import type { ChatEvent } from './chat-state'

/** The steps of the chat and what runs them, loaded with the first question of a page, or the first orphaned run. */
export class ChatSteps {
  private runner: ChatRunner | undefined
  private loading: Promise<ChatRunner> | undefined
  /** What happens while they are loaded. */
  private events: ChatEvent[] = []

  constructor(private readonly options: RunnerOptions) {}

  dispatch(event: ChatEvent): void {
    if (this.runner) {
      this.runner.dispatch(event)
      return
    }
    // Until a question is asked, nothing is there for other events to change.
    if (!this.loading && event.type !== 'asked' && event.type !== 'stop') return
    this.events.push(event)
    this.loading ??= this.load()
    this.loading.catch((error: unknown) => {
      if (this.events.length > 0) notify({ kind: 'not-saved', error })
      this.loading = undefined
      this.events = []
    })
  }

  get isBusy(): boolean {
    return this.runner?.isBusy ?? this.events.length > 0
  }

  /** Whether this tab receives the answer of a run. */
  isReceived(messageId: string): boolean {
    return this.runner?.isReceived(messageId) ?? false
  }

  /** Whether the answer of a run has ended, and could not be stored yet: only this page has it. */
  isUnsaved(messageId: string): boolean {
    return this.runner?.isUnsaved(messageId) ?? false
  }

  /** Resolves once nothing more is received of a run, in whichever tab it was. */
  async whenOver(messageId: string): Promise<void> {
    const runner = this.runner ?? (await this.loading?.catch(() => undefined))
    await runner?.whenOver(messageId)
  }

  /** Resolves once this tab receives nothing more. */
  async whenAllOver(): Promise<void> {
    await this.runner?.whenAllOver()
  }

  private async load(): Promise<ChatRunner> {
    const { ChatRunner } = await import('./chat-runner')
    this.runner = new ChatRunner(this.options)
    for (const event of this.events.splice(0)) this.runner.dispatch(event)
    return this.runner
  }
}

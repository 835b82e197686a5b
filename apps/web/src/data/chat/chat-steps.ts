import type { Ask, AskOutcome } from './ask'
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
    this.load().catch((error: unknown) => {
      if (this.events.length > 0) notify({ kind: 'not-saved', error })
      this.events = []
    })
  }

  async ask(ask: Ask): Promise<AskOutcome> {
    return (this.runner ?? (await this.load())).asks.ask(ask)
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

  /** Resolves once this tab receives nothing more. */
  async whenAllOver(): Promise<void> {
    await this.runner?.whenAllOver()
  }

  private load(): Promise<ChatRunner> {
    this.loading ??= import('./chat-runner').then(
      ({ ChatRunner }) => {
        this.runner = new ChatRunner(this.options)
        for (const event of this.events.splice(0)) this.runner.dispatch(event)
        return this.runner
      },
      (error: unknown) => {
        this.loading = undefined
        throw error
      },
    )
    return this.loading
  }
}

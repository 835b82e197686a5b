// With all that a question needs: one that is asked without a network is stored all the same.
import './chat-runner'
import type { Ask, AskOutcome } from './ask'
import { askInChat } from './chat-engine'

/** Asks the chat of this person's session. Throws AppError; then nothing was sent. */
export async function askChat(ask: Ask): Promise<Exclude<AskOutcome, { kind: 'failed' }>> {
  const outcome = await askInChat(ask)
  if (outcome.kind === 'failed') throw outcome.error
  return outcome
}

import '../../i18n/later-texts'
import type { ContextMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { useEffect, useRef, useState } from 'react'
import type { AgentForm } from '../../data/agents/agent-form'
import { agentLanguageOf } from '../../data/agents/agent-queries'
import { type TrialAnswer, trialOf, tryAgent } from '../../data/agents/try-agent'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'

/** A question and its answer so far. */
export type Trial = {
  id: number
  question: string
  text: string
  state: 'writing' | 'done' | 'stopped' | 'failed'
  problem: string | undefined
}

/** A trial conversation. Each question uses the draft at that time; nothing outlives the panel. */
export function useTrial(form: AgentForm) {
  const { t, language } = useTranslation()
  const [trials, setTrials] = useState<readonly Trial[]>([])
  const running = useRef<AbortController>(undefined)
  const nextId = useRef(0)
  const isWriting = trials.at(-1)?.state === 'writing'

  // Closing the panel aborts the request.
  useEffect(() => () => running.current?.abort(), [])

  const change = (id: number, changed: Partial<Trial>): void =>
    setTrials((before) => before.map((trial) => (trial.id === id ? { ...trial, ...changed } : trial)))

  async function ask(question: string) {
    const controller = new AbortController()
    running.current = controller
    const id = nextId.current++
    setTrials((before) => [...before, { id, question, text: '', state: 'writing', problem: undefined }])
    const said: ContextMessage[] = [...trials.flatMap(toMessages), { role: 'user', content: question }]
    try {
      for await (const answer of tryAgent(trialOf(form, said, agentLanguageOf(language)), controller.signal))
        change(id, trialState(answer))
    } catch (error) {
      if (controller.signal.aborted) change(id, { state: 'stopped' })
      else if (error instanceof AppError)
        change(id, { state: 'failed', problem: errorMessage(error, language) ?? t('agentEditor.try.failed') })
      else throw error
    }
  }

  return {
    trials,
    isWriting,
    ask: (question: string) => void ask(question),
    stop: () => running.current?.abort(),
    startOver() {
      running.current?.abort()
      setTrials([])
    },
  }
}

const trialState = ({ text, problem, isOver }: TrialAnswer): Partial<Trial> => ({
  text,
  problem,
  state: problem !== undefined ? 'failed' : isOver ? 'done' : 'writing',
})

/** The messages sent with the next question: whole exchanges. */
const toMessages = ({ question, text, state }: Trial): ContextMessage[] =>
  state === 'writing' || text.trim() === ''
    ? []
    : [
        { role: 'user', content: question },
        { role: 'assistant', content: text },
      ]

import '../../i18n/later-texts'
import type { ContextMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentForm } from '../../data/agents/agent-form'
import { agentLanguageOf } from '../../data/agents/agent-queries'
import { type TrialAnswer, trialOf, tryAgent } from '../../data/agents/try-agent'
import { errorMessage } from '../../lib/error-message'

/** A question and how its answer stands. */
export type Trial = { id: number; question: string; text: string; state: 'writing' | 'done' | 'stopped' | 'failed'; problem: string | undefined }

/** A conversation with a draft. Each question goes to the draft as it stands then; nothing of it outlives the panel. */
export function useTrial(form: AgentForm) {
  const { t, i18n } = useTranslation()
  const [trials, setTrials] = useState<readonly Trial[]>([])
  const running = useRef<AbortController>(undefined)
  const nextId = useRef(0)
  const isWriting = trials.at(-1)?.state === 'writing'

  // Whoever closes the panel hears no more of it: the request is closed as well.
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
      for await (const answer of tryAgent(trialOf(form, said, agentLanguageOf(i18n.language)), controller.signal)) change(id, shown(answer))
    } catch (error) {
      if (controller.signal.aborted) change(id, { state: 'stopped' })
      else if (error instanceof AppError) change(id, { state: 'failed', problem: errorMessage(error, i18n.language) ?? t('agentEditor.try.failed') })
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

const shown = ({ text, problem, isOver }: TrialAnswer): Partial<Trial> => ({
  text,
  problem,
  state: problem !== undefined ? 'failed' : isOver ? 'done' : 'writing',
})

/** What the model hears of it later: whole exchanges. */
const toMessages = ({ question, text, state }: Trial): ContextMessage[] =>
  state === 'writing' || text.trim() === ''
    ? []
    : [
        { role: 'user', content: question },
        { role: 'assistant', content: text },
      ]

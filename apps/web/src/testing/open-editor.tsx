import type { Agent, OwnAgent } from '@parley/contract/agents'
import { act, screen } from '@testing-library/react'
import { type AgentEditor, openAgentEditor } from '../data/agents/agent-editor-state'
import { renderScreen } from './render-screen'
import { agentAnswers, someAgent } from './some-agents'

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

/** What its owner gets of an agent. */
export function ownAgent(fields: Partial<OwnAgent> = {}): OwnAgent {
  const { prompt = 'You know every lamp.', knowledge = 'The lamp turns every nine seconds.', ...agent } = fields
  const seen = someAgent(agent)
  const languages = seen.languages.map((texts) => ({
    ...texts,
    prompt: texts.language === seen.language ? prompt : 'Você conhece faróis.',
  }))
  return { ...seen, languages, prompt, knowledge, userEmail: 'marina@example.com' }
}

/** The marketplace of a server that notes what it is asked, with the editor open. */
export async function openEditor(
  what: AgentEditor,
  { mine = [], answers = {} }: { mine?: Agent[]; answers?: Answers } = {},
) {
  const calls: { call: string; body: unknown }[] = []
  const noting = Object.entries({
    ...agentAnswers({ mine }).answers,
    'POST /v1/assistants': (body: unknown) => ({
      status: 201,
      body: {
        ...ownAgent(),
        ...withoutUndefined(body),
        _id: 'made',
        userId: userId,
        updated_at: '2026-02-02T00:00:00.000Z',
      },
    }),
    ...answers,
  } satisfies Answers).map(([call, answer]): [string, Answers[string]] => [
    call,
    (body, query) => {
      calls.push({ call, body })
      return answer(body, query)
    },
  ])
  const view = await renderScreen('/assistants', {
    config: { signInMethods: ['email'] },
    answers: Object.fromEntries(noting),
  })
  act(() => openAgentEditor(what))
  return { ...view, calls, dialog: await screen.findByRole('dialog') }
}

const userId = '0193f000-0000-7000-8000-000000000001'
const withoutUndefined = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {})

import { expect, it } from 'vitest'
import type { LlmEvent, LlmProvider } from '../../providers/llm'
import { AnswerBudget } from '../credits/public/answer-budget'
import type { FrameDraft } from './frames'
import { type AnswerResult, type AnswerTask, perform } from './perform'

const task: AnswerTask = {
  ...{
    messageId: 'run',
    mId: 'm',
    channelId: 'c',
    model: 'some/model',
    userLanguage: undefined,
    channelName: undefined,
  },
  prompt: {
    messages: [],
    size: { likelyTokens: 1, maxTokens: 1 },
    sources: [],
    question: '',
    read: [],
    shorter: () => undefined,
  },
  settings: {},
  budget: new AnswerBudget({ maxTokens: undefined }),
}

/** The frames of an answer whose events come at these seconds after the question. */
async function framesOf(events: readonly [seconds: number, event: LlmEvent][]): Promise<FrameDraft[]> {
  let now = 0
  const llm: Pick<LlmProvider, 'chat'> = {
    async *chat() {
      for (const [seconds, event] of events) {
        now = seconds * 1000
        yield event
      }
    },
  }
  const result: AnswerResult = { usage: undefined }
  const frames: FrameDraft[] = []
  const deps = { llm: llm as LlmProvider, now: () => now }
  for await (const frame of perform(task, deps, new AbortController().signal, result)) frames.push(frame)
  return frames
}

it('counts as time of thinking what passes before it comes, and not while text is written', async () => {
  const frames = await framesOf([
    [2, { type: 'reasoning', text: 'Hm' }],
    [5, { type: 'reasoning', text: ', so.' }],
    [6, { type: 'text', text: 'One. ' }],
    [20, { type: 'text', text: 'Two. ' }],
    [23, { type: 'reasoning', text: 'And?' }],
    [24, { type: 'text', text: 'Three.' }],
    [25, { type: 'finish', reason: 'stop' }],
  ])
  expect(frames.filter(({ event }) => event === 'reasoning')).toEqual([
    { event: 'reasoning', content: 'Hm', ms: 2_000 },
    { event: 'reasoning', content: ', so.', ms: 5_000 },
    { event: 'reasoning', content: '\n\nAnd?', ms: 8_000 },
  ])
  expect(frames.at(-1)).toMatchObject({
    message: { reasoning: { text: 'Hm, so.\n\nAnd?', ms: 8_000 }, durationMs: 25_000 },
  })
})

it('is right for a gateway that tells all thinking at once, when it is over', async () => {
  const frames = await framesOf([
    [14, { type: 'reasoning', text: '\n' }],
    [14, { type: 'reasoning', text: 'A summary.' }],
    [14, { type: 'text', text: 'So.' }],
    [15, { type: 'finish', reason: 'stop' }],
  ])
  expect(frames.at(-1)).toMatchObject({ message: { reasoning: { text: 'A summary.', ms: 14_000 } } })
})

import type { Message } from '@parley/contract/chat'
import { requestSettings, settingsOf } from '@parley/contract/chat-settings'
import { type ContextExchange, windowOf } from '@parley/contract/context'
import {
  affordablePromptTokens,
  type ContextPlan,
  messagesOfExchange,
  planContext,
} from '@parley/contract/context-plan'
import { type DueSummary, dueSummary, type PathPlace, placeOf, summaryOf } from '@parley/contract/context-summary'
import type { Summary } from '@parley/contract/conversations'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Model } from '@parley/contract/models'
import { type Nano, parseMarkup, parsePrices } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { useMemo } from 'react'
import { modeOf } from '../channels/homes'
import { useChannel } from '../channels/use-channels'
import { useConfig } from '../config/use-config'
import { mostCost } from '../credits/estimate'
import { type Plan, usePlan } from '../credits/plan'
import { useSearchPrice } from '../credits/search-price'
import { useChosenModel } from '../models/chosen-model'
import { useModels } from '../models/models-query'
import { useContextPath, useInstructionsSize, useSummaries } from './context-sizes'
import { useLikelySourceTokens } from './source-tokens'

type Asked = { channelId: string; draft: string; loaded: readonly Message[]; language: string }

/** What the next question sends. `cost`: the most that its answer can cost, where somebody is charged for it. */
export type NextQuestion = {
  plan: ContextPlan
  cost: Nano | undefined
  assistantId: string | null
  /** The summary that goes along. */
  summary: Summary | undefined
  /** Where a summary is to end that nobody has asked for yet. */
  due: { mId: string; runId: string } | undefined
  /** The last summary of the path, where somebody has undone it. */
  undone: Summary | undefined
}

/**
 * How the next question of a chat fills the window of the model that is chosen, by the functions that choose what is
 * sent. Undefined until what lies before the loaded messages is known.
 */
export function useContextPlan({ channelId, draft, loaded, language }: Asked): NextQuestion | undefined {
  const channel = useChannel(channelId)
  const assistantId = channel?.assistantId ?? null
  const isCloud = channel !== undefined && modeOf(channel) === 'cloud'
  const path = useContextPath(channelId, loaded)
  const person = usePlan()
  const config = useConfig()
  const { chosen } = useChosenModel()
  const { models } = useModels({ isEnabled: true, maxAgeMs: webLimits.models.cacheMs, retryOnMount: false })
  const modelId = chosen?.id ?? config?.defaultModel
  const model = models?.find(({ id }) => id === modelId)
  const { maxTokens: answerTokens, instructions = '' } = useMemo(
    () => requestSettings(settingsOf(channel ?? {}), model),
    [channel, model],
  )
  const isGateway = config?.models === 'gateway'
  const markup = config?.creditMarkup
  const maxTokens = isGateway ? paidTokens(person, model, markup) : undefined
  const summaries = useSummaries(channelId)
  const sourceTokens = useLikelySourceTokens(channelId, { model, maxTokens })
  const ofAgent = useInstructionsSize({ assistantId, language, hasSources: sourceTokens > 0 }) ?? 0
  const agentTokens = ofAgent + estimateTokens(instructions)
  const planned = useMemo(() => {
    if (!path.isKnown) return undefined
    const { exchanges, unread } = path
    const summary = summaryOf(exchanges, summaries ?? [])
    const asked = {
      path: exchanges,
      unread,
      window: windowOf(model, answerTokens),
      agentTokens,
      question: draft.trim(),
      maxTokens,
      summary,
      sourceTokens,
    }
    const bounds = isCloud ? {} : frameBounds
    // What is being typed is no reason for a summary.
    const recent = planContext({ ...asked, ...bounds, question: '' }).recent.count / messagesOfExchange
    const due = summaries && dueSummary(exchanges, { recent, unread: unread / messagesOfExchange, summaries })
    return { plan: planContext({ ...asked, ...bounds }), summary, ...placesOf(exchanges, summaries ?? [], due) }
  }, [path, summaries, model, answerTokens, agentTokens, sourceTokens, draft, maxTokens, isCloud])
  const isCharged = isGateway && person.kind === 'credits'
  const prices = { markup, wanted: answerTokens, searchPrice: useSearchPrice(channelId) }
  const cost = isCharged && model && planned ? mostCost(planned.plan, model, prices) : undefined
  // Until the window is known nobody knows what is left out.
  const isWindowKnown = config !== undefined && (models !== undefined || config.models === 'offline')
  return planned && { ...planned, ...(isWindowKnown ? {} : { due: undefined }), cost, assistantId }
}

type Path = readonly (ContextExchange & PathPlace)[]

function placesOf(
  path: Path,
  summaries: readonly Summary[],
  due: DueSummary | undefined,
): Pick<NextQuestion, 'due' | 'undone'> {
  const { mId, runId } = path[due?.upTo ?? -1] ?? {}
  const undone = summaries.filter(({ isUndone }) => isUndone)
  const last = path.findLast((place) => summaries.some((summary) => placeOf([place], summary) === 0))
  return {
    due: mId === undefined || runId === undefined ? undefined : { mId, runId },
    undone: last && undone.find((summary) => placeOf([last], summary) === 0),
  }
}

/** A chat of this device goes along in the frame of the question, whose other fields take this much at most. */
const otherFieldsBytes = 2_048
const frameBounds = {
  maxBytes: limits.chat.maxFrameBytes - otherFieldsBytes,
  maxExchanges: (limits.context.maxEarlierMessages + limits.chat.maxContextMessages) / 2,
}

/** How long a prompt may be by what pays for it; undefined where only the window bounds it. */
function paidTokens(person: Plan, model: Model | undefined, written = '1'): number | undefined {
  if (!model || model.free || person.kind === 'subscriber') return undefined
  if (person.kind !== 'credits') return limits.context.operatorPaidTokens
  const markup = parseMarkup(written)
  const prices = parsePrices(model.pricing)
  if (person.amount === undefined || markup === undefined || markup === parseMarkup(0)) return undefined
  return affordablePromptTokens({ spendable: person.amount, prices, markup })
}

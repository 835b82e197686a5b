import type { ChosenAgent } from '../../data/agents/chosen-agent'

export const pickerTabs = ['product', 'community', 'mine'] as const
export type PickerTab = (typeof pickerTabs)[number]

/** The agent of a chat without a choice: the picker shows it as the general assistant. */
const generalAgentId = 'product-parley'

type Section = 'general' | 'favorites' | 'recent' | 'all' | PickerTab

export type PickerEntry =
  | { kind: 'heading'; id: string; section: Section }
  /** `agent` is undefined for the general assistant. */
  | { kind: 'agent'; id: string; agent: ChosenAgent | undefined }
export type PickerRow = Extract<PickerEntry, { kind: 'agent' }>

const heading = (section: Section): PickerEntry => ({ kind: 'heading', id: `heading:${section}`, section })
const row = (agent: ChosenAgent): PickerEntry => ({ kind: 'agent', id: agent._id, agent })
const section = (name: Section, agents: readonly ChosenAgent[]): PickerEntry[] =>
  agents.length === 0 ? [] : [heading(name), ...agents.map(row)]

type PageOptions = {
  tab: PickerTab
  page: number
  agents: readonly ChosenAgent[]
  favorites: readonly ChosenAgent[]
  recent: readonly ChosenAgent[]
  userId: string | undefined
}

/**
 * The entries of one page of a tab. The first page starts with the general assistant, then favourites and recent
 * agents. Each agent is listed once.
 */
export function pageEntries({ tab, page, agents, favorites, recent, userId }: PageOptions): PickerEntry[] {
  const seen = new Set([generalAgentId])
  const once = (list: readonly ChosenAgent[]): ChosenAgent[] =>
    list.filter(({ _id }) => !seen.has(_id) && seen.add(_id))
  if (page > 0) return once(agents).map(row)
  const isHere = (agent: ChosenAgent): boolean => tabOf(agent, userId) === tab
  const first = [
    ...section('favorites', once(favorites.filter(isHere))),
    ...section('recent', once(recent.filter(isHere))),
  ]
  const rest = once(agents)
  return [heading('general'), { kind: 'agent', id: 'general', agent: undefined }, ...first, ...section('all', rest)]
}

/** The search hits of all three lists; the person's own agents are not repeated among the community's. */
export function hitEntries(found: Record<PickerTab, readonly ChosenAgent[]>): PickerEntry[] {
  const own = new Set(found.mine.map(({ _id }) => _id))
  return pickerTabs.flatMap((tab) =>
    section(tab, tab === 'community' ? found.community.filter(({ _id }) => !own.has(_id)) : found[tab]),
  )
}

function tabOf({ source, userId: creator }: ChosenAgent, userId: string | undefined): PickerTab {
  if (source === 'product') return 'product'
  return creator === userId ? 'mine' : 'community'
}

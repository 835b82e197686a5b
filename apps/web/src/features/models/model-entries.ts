import type { Model } from '@parley/contract/models'
import { parsePrice } from '../../data/models/token-price'
import { traitsOf } from './model-traits'

export const modelTabs = ['all', 'chat', 'free', 'code'] as const
export type ModelTab = (typeof modelTabs)[number]

/** Groups by owner, or order by the price of answers. */
export type ModelOrder = 'owner' | 'cheaper' | 'expensive'

type Section = 'current' | 'favorites' | 'recent' | 'rest'

export type ModelEntry =
  | { kind: 'model'; id: string; model: Model }
  /** `section`: one of the picker's sections; otherwise `owner` names a group, as the gateway does. */
  | { kind: 'heading'; id: string; section: Section | undefined; owner: string }

type EntryOptions = {
  query: string
  tab: ModelTab
  order: ModelOrder
  currentId: string
  favorites: readonly string[]
  recent: readonly string[]
}

/**
 * The picker's list, flat for the virtualiser. Each model is listed once: the current one, favourites and recent ones
 * first; a search has one list.
 */
export function modelEntries(
  models: readonly Model[],
  { query, tab, order, currentId, favorites, recent }: EntryOptions,
): ModelEntry[] {
  const found = models.filter((model) => isIn(tab, model) && matches(model, query))
  if (query.trim() !== '') return sorted(found, order).map(row)
  const byId = new Map(found.map((model) => [model.id, model]))
  const take = (ids: readonly string[]): Model[] =>
    ids.flatMap((id) => {
      const model = byId.get(id)
      byId.delete(id)
      return model ? [model] : []
    })
  const first = [
    ...section('current', take([currentId])),
    ...section('favorites', take(favorites)),
    ...section('recent', take(recent)),
  ]
  const rest = [...byId.values()]
  if (order === 'owner')
    return [
      ...first,
      ...modelGroups(rest).flatMap(({ owner, models: members }) => [heading(undefined, owner), ...members.map(row)]),
    ]
  return [...first, ...(first.length === 0 ? sorted(rest, order).map(row) : section('rest', sorted(rest, order)))]
}

/**
 * Models grouped by owner; owners and models sorted by name. Routers have no owner: they are found by price and by
 * search.
 */
export function modelGroups(models: readonly Model[]): { owner: string; models: Model[] }[] {
  const groups = new Map<string, Model[]>()
  for (const model of models) {
    const owner = model.architecture?.tokenizer || 'Default'
    if (owner.toLowerCase() === 'router') continue
    const members = groups.get(owner)
    if (members) members.push(model)
    else groups.set(owner, [model])
  }
  return [...groups]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([owner, members]) => ({ owner, models: sorted(members, 'owner') }))
}

function isIn(tab: ModelTab, model: Model): boolean {
  switch (tab) {
    case 'all':
      return true
    case 'chat':
      return traitsOf(model).isForChat
    case 'free':
      return model.free
    case 'code':
      return traitsOf(model).isForCode
  }
}

/** Every word must be part of the name or the id. */
function matches({ id, name }: Model, query: string): boolean {
  const text = simple(`${name} ${id}`)
  return simple(query)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const simple = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const compareNames = (a: string, b: string): number => names.compare(a, b)

function sorted(models: readonly Model[], order: ModelOrder): Model[] {
  const byName = (a: Model, b: Model): number => compareNames(a.name, b.name) || compareNames(a.id, b.id)
  if (order === 'owner') return models.toSorted(byName)
  const priced = models.map((model) => ({ model, price: model.free ? 0n : parsePrice(model.pricing?.completion) }))
  return priced
    .toSorted((a, b) => comparePrices(a.price, b.price, order) || byName(a.model, b.model))
    .map(({ model }) => model)
}

/** Models without a price are last in both orders. */
function comparePrices(a: bigint | undefined, b: bigint | undefined, order: ModelOrder): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (a === b) return 0
  return a < b === (order === 'cheaper') ? -1 : 1
}

const row = (model: Model): ModelEntry => ({ kind: 'model', id: model.id, model })
const heading = (section: Section | undefined, owner: string): ModelEntry => ({
  kind: 'heading',
  id: `heading:${section ?? ''}:${owner}`,
  section,
  owner,
})
const section = (name: Section, models: readonly Model[]): ModelEntry[] =>
  models.length === 0 ? [] : [heading(name, ''), ...models.map(row)]

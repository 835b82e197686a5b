import type { Source } from '@parley/contract/sources'
import type { QueryClient } from '@tanstack/react-query'
import type { Change } from '../local/changes'
import { scoped } from '../scope/scope'
import { isUnread } from '../sources/source-state'
import { channelKeys } from './channel-keys'
import { readCloudSource } from './channel-sources'
import { readAgain } from './read-again'

type SourcesChange = Extract<Change, { kind: 'sources' }>
type Told = NonNullable<SourcesChange['told']>

/** The last change of each source that is being read from the server. */
const latestChanges = scoped(() => new Map<string, Told>())

/** Progress is shown as it is told; of one source that one is read again; otherwise all that is stored. */
export function patchSources(client: QueryClient, { channelId, source, told }: SourcesChange): Promise<void> {
  const queryKey = channelKeys.sources(channelId)
  const patch = (id: string, change: (before: Source) => Source): void =>
    void client.setQueryData<Source[]>(queryKey, (sources) =>
      sources?.map((each) => (each.id === id && isUnread(each) ? change(each) : each)),
    )
  if (source) patch(source.id, () => source)
  else if (told?.progress) patch(told.sourceId, (before) => ({ ...before, status: 'processing', ...progressOf(told) }))
  else if (told) return patchTold(client, channelId, told)
  else return readAgain(client, queryKey)
  return Promise.resolve()
}

const progressOf = ({ progress }: Told) => (progress === undefined ? {} : { progress })

async function patchTold(client: QueryClient, channelId: string, told: Told): Promise<void> {
  const queryKey = channelKeys.sources(channelId)
  const state = client.getQueryState<Source[]>(queryKey)
  if (!state) return
  // One that is not in the list may be an upload of this page, whose row it takes.
  if (state.fetchStatus === 'fetching' || !state.data?.some(({ id }) => id === told.sourceId))
    return readAgain(client, queryKey)
  const latest = latestChanges()
  latest.set(told.sourceId, told)
  try {
    const source = await readCloudSource({ id: told.sourceId, channelId })
    // A later change is read by itself, and may be shown already.
    if (latest.get(told.sourceId) !== told) return
    latest.delete(told.sourceId)
    client.setQueryData<Source[]>(queryKey, (sources) =>
      sources?.flatMap((each) => (each.id === told.sourceId ? (source ?? []) : each)),
    )
  } catch {
    // Reading the list reports the error.
    await readAgain(client, queryKey)
  }
}

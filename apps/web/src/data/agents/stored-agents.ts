// The agents of chats, encrypted on this device: a chat shows name and face without a network, and after the agent was
// deleted.
import { Agent, AgentTexts, agentRoutes, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import { api } from '../api/api'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'

/**
 * The public fields: prompt and knowledge are not stored, also not the owner's. `id` repeats `_id`, because records of
 * a data file are identified by it.
 */
const StoredAgent = z.object({
  ...z.omit(Agent, { likedByMe: true, languages: true }).shape,
  languages: z.array(z.omit(AgentTexts, { prompt: true })),
  id: z.string(),
})
export type StoredAgent = z.infer<typeof StoredAgent>

const bindingOf = (id: string) => ({ table: 'assistants', id, channelId: id })

/** Undefined also for a record that cannot be read, such as one of another program. */
export async function readAgent(id: string): Promise<StoredAgent | undefined> {
  return orStorageError(async () => {
    const { db, vault } = await openDevice()
    const record = await db.get('assistants', id)
    if (!record) return undefined
    const { data } = z.safeParse(StoredAgent, await vault.open(bindingOf(id), record).catch(() => undefined))
    return data
  })
}

export async function storeAgent(agent: SeenAgent | StoredAgent): Promise<StoredAgent> {
  const kept = z.parse(StoredAgent, { ...agent, id: agent._id })
  const known = await readAgent(kept.id)
  if (JSON.stringify(known) === JSON.stringify(kept)) return kept
  await orStorageError(() =>
    writeSealed(openDevice, ['assistants'], async ({ vault }) => {
      const sealed = await vault.seal(bindingOf(kept.id), kept)
      return async (records) => void (await records.put('assistants', { id: kept.id, ...sealed }))
    }),
  )
  return kept
}

/**
 * Fetches and stores the agent; undefined when it does not exist for this person any more. The stored record then
 * stays.
 */
export async function fetchAgent(id: string, signal: AbortSignal): Promise<StoredAgent | undefined> {
  try {
    const agent = await api(agentRoutes.get, { query: { assistant_id: id }, signal })
    // It is shown even where the device is full.
    return await storeAgent(agent).catch(() => z.parse(StoredAgent, { ...agent, id }))
  } catch (error) {
    if (error instanceof AppError && [403, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

// What chats know of their agents, sealed on this device: a chat stays readable with name and face, without a network and when the agent is gone.
import { Agent, AgentTexts, agentRoutes, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import { api } from '../http/api'
import { openDevice } from '../local/device'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'

/** What everybody may see of it: its owner's instructions and knowledge are not kept. `id` is `_id` once more, by which records of a data file are known. */
const KeptAgent = z.object({
  ...z.omit(Agent, { likedByMe: true, languages: true }).shape,
  languages: z.array(z.omit(AgentTexts, { prompt: true })),
  id: z.string(),
})
export type KeptAgent = z.infer<typeof KeptAgent>

const place = (id: string) => ({ table: 'assistants', id, channelId: id })

/** Undefined also for what cannot be read, such as what another program left there. */
export async function keptAgent(id: string): Promise<KeptAgent | undefined> {
  return orStorageError(async () => {
    const { db, vault } = await openDevice()
    const record = await db.get('assistants', id)
    if (!record) return undefined
    const { data } = z.safeParse(KeptAgent, await vault.open(place(id), record).catch(() => undefined))
    return data
  })
}

export async function keepAgent(agent: SeenAgent | KeptAgent): Promise<KeptAgent> {
  const kept = z.parse(KeptAgent, { ...agent, id: agent._id })
  const known = await keptAgent(kept.id)
  if (JSON.stringify(known) === JSON.stringify(kept)) return kept
  await orStorageError(() =>
    writeSealed(openDevice, ['assistants'], async ({ vault }) => {
      const sealed = await vault.seal(place(kept.id), kept)
      return async (records) => void (await records.put('assistants', { id: kept.id, ...sealed }))
    }),
  )
  return kept
}

/** As the server has it now, and keeps it; undefined when it is not there for this person any more. What is kept then stays. */
export async function askForAgent(id: string, signal: AbortSignal): Promise<KeptAgent | undefined> {
  try {
    const agent = await api(agentRoutes.get, { query: { assistant_id: id }, signal })
    // A full device is no reason not to show it.
    return await keepAgent(agent).catch(() => z.parse(KeptAgent, { ...agent, id }))
  } catch (error) {
    if (error instanceof AppError && [403, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

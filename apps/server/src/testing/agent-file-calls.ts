import type { AgentFile } from '@parley/contract/agent-files'
import { expect } from 'vitest'
import type { Client } from './person'

/** The files of the knowledge of one person's agents, over HTTP. */
export function agentFilesOf(person: Client) {
  const ok = async <T>(answer: ReturnType<Client['send']>): Promise<T> => {
    const { status, body } = await answer
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body as T
  }
  const upload = (name: string, content: string) => {
    const form = new FormData()
    form.append('document', new Blob([content]), name)
    return person.sendRaw('POST', '/v1/assistants/files', form)
  }
  const get = (id: string) => ok<AgentFile>(person.send('GET', `/v1/assistants/files/${id}`))
  const add = (name: string, content: string) => ok<AgentFile>(upload(name, content))
  return {
    ...{ upload, get, add },
    of: (agentId: string) => ok<AgentFile[]>(person.send('GET', `/v1/assistants/files?assistant_id=${agentId}`)),
    /** Adds one, and resolves when it is read, or could not be. */
    async read(name: string, content: string): Promise<AgentFile> {
      const { id } = await add(name, content)
      const hasEnded = async () => ['processed', 'failed'].includes((await get(id)).status)
      await expect.poll(hasEnded, { timeout: 50_000, interval: 100 }).toBe(true)
      return get(id)
    },
  }
}

import type { AgentPage } from '@parley/contract/agents'
import { buildTestApp, type databases } from './build-test-app'
import { aPerson, Client } from './person'

export async function anAgentApp(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  return {
    app,
    ana: await aPerson(app, 'ana@example.org'),
    eve: await aPerson(app, 'eve@example.com'),
    nobody: new Client(app),
  }
}

export const pageOf = async (person: Client, path: string): Promise<AgentPage> => {
  const { status, body } = await person.send('GET', path)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as AgentPage
}
export const namesOf = ({ assistants }: AgentPage): string[] => assistants.map(({ name }) => name)
export const community = '/v1/assistants/community/free'
export const mine = '/v1/assistants/community/private'
export const pathOf = (id: string): string => `/v1/assistant?assistant_id=${encodeURIComponent(id)}`
export const likeOf = (person: Awaited<ReturnType<typeof aPerson>>, assistantId: string) => ({
  assistantId,
  userId: person.answer.user.id,
})

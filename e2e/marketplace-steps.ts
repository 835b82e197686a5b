import type { AgentDraft, OwnAgent } from '@parley/contract/agents'
import type { Locator, Page } from '@playwright/test'
import type { ParleyServer } from './parley-server'
import { call, expect, otherSession, type Person, signUp } from './people'

export const draft = (fields: Partial<AgentDraft> = {}): AgentDraft => ({
  name: 'Lighthouse keeper',
  language: 'en',
  role: 'Knows the coast',
  about: 'Answers questions about lamps, storms and ships.',
  prompt: 'CANARY: you know everything about lighthouses.',
  profileImage: '/api/faces/keeper.svg',
  private: false,
  enabled: true,
  ...fields,
})

export type Maker = {
  token: string
  userId: string
  make: (fields?: Partial<AgentDraft>) => Promise<OwnAgent>
  like: (id: string) => Promise<void>
}

/** Somebody who publishes by the API, on a device of their own. */
export async function aMaker(server: ParleyServer, person: Person): Promise<Maker> {
  await signUp(server, person)
  const { token, userId } = await otherSession(server, person)
  return {
    token,
    userId,
    make: async (fields) => {
      const response = await call(server, 'POST', '/v1/assistants', { token, body: draft(fields) })
      expect(response.status).toBe(201)
      return response.json()
    },
    like: async (assistantId) => {
      expect(
        (await call(server, 'POST', '/v1/assistants/likes', { token, body: { assistantId, userId } })).status,
      ).toBe(200)
    },
  }
}

export const cardOf = (page: Page, name: string, place: Page | Locator = page) =>
  place.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

export const info = (page: Page, role = 'Knows the coast') => page.getByRole('dialog', { name: role })

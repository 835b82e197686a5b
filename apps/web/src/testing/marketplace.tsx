import type { PublicConfig } from '@parley/contract/config'
import { screen, within } from '@testing-library/react'
import { renderScreen } from './render-screen'
import { aUser } from './seed-session'
import { agentAnswers, someAgents } from './some-agents'

const config: Partial<PublicConfig> = { signInMethods: ['email'] }
export const me = aUser().id
export const team = someAgents(8, 'Team', { source: 'product', userId: null, userName: 'Parley' })
export const community = someAgents(25, 'Helper')

export type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

/** The page, on a server with these agents. */
export async function openPage(
  lists: Parameters<typeof agentAnswers>[0] = { product: team, community },
  more: Answers = {},
  address = '/assistants',
) {
  const { answers, asked } = agentAnswers(lists)
  const view = await renderScreen(address, { config, answers: { ...answers, ...more } })
  return { ...view, asked }
}

export const tab = (name: string) => screen.findByRole('tab', { name })

export const cardOf = async (name: string): Promise<HTMLElement> => {
  const link = await within(screen.getByRole('main')).findByRole('link', { name })
  const card = link.closest('article')
  if (!card) throw new Error(`${name} is on no card`)
  return card
}
export const search = () => screen.findByRole('searchbox', { name: 'Search agents' })

import type { Agent } from '@parley/contract/agents'

export function someAgent(fields: Partial<Agent> = {}): Agent {
  const role = fields.role ?? 'Knows the coast'
  const defaultGreetings = fields.defaultGreetings ?? 'Ahoy! Which lamp?'
  const about = 'Answers questions about lamps, storms and ships.'
  return {
    _id: 'keeper',
    source: 'community',
    name: 'Lighthouse keeper',
    category: '',
    userId: '0193f000-0000-7000-8000-00000000000f',
    userName: 'Otto',
    profileImage: '/api/faces/keeper.svg',
    language: 'en',
    role,
    about,
    defaultGreetings,
    languages: [
      { language: 'en', role, about, defaultGreetings },
      { language: 'pt', role: 'Conhece a costa', about: 'Sabe de faróis.', defaultGreetings: 'Olá! Qual farol?' },
    ],
    private: false,
    enabled: true,
    userPrice: 0,
    likes: 3,
    likedByMe: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  }
}

/** So many, named by what they are and a number. */
export function someAgents(count: number, name: string, fields: Partial<Agent> = {}): Agent[] {
  return Array.from({ length: count }, (_, n) =>
    someAgent({ _id: `${name}-${n}`.toLowerCase().replaceAll(' ', '-'), name: `${name} ${n}`, ...fields }),
  )
}

/** What a server with these agents answers to the calls of the lists and the search. */
export function agentAnswers({
  product = [],
  community = [],
  mine = [],
}: {
  product?: Agent[]
  community?: Agent[]
  mine?: Agent[]
}) {
  const asked: string[] = []
  const pageOf = (list: string, agents: Agent[]) => (_body: unknown, query: URLSearchParams) => {
    const [page, size, term] = [
      Number(query.get('page_number') ?? 0),
      Number(query.get('page_size')),
      query.get('search_terms') ?? '',
    ]
    asked.push([list, page, size, query.get('lang') ?? '', term].join(' ').trim())
    const found = agents.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
    return { status: 200, body: { assistants: found.slice(page * size, (page + 1) * size), total_count: found.length } }
  }
  const all = [...product, ...community, ...mine]
  const answers = {
    'GET /v1/assistants/files': () => ({ status: 200, body: [] }),
    'GET /v1/assistants/company': pageOf('product', product),
    'GET /v1/assistants/community/free': pageOf('community', community),
    'GET /v1/assistants/community/private': pageOf('mine', mine),
    'GET /v1/assistant': (_body: unknown, query: URLSearchParams) => {
      const agent = all.find(({ _id }) => _id === query.get('assistant_id'))
      return agent
        ? { status: 200, body: agent }
        : { status: 404, body: { success: false, code: 'agent.not-found', message: '', status: 404 } }
    },
  }
  return { answers, asked }
}

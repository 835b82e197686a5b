import { randomUUID } from 'node:crypto'
import { type AgentLanguage, agentLanguages } from '@parley/contract/agents'
import { uuidv7 } from '@parley/contract/uuid'
import type pg from 'pg'
import { languageBits } from '../../apps/server/src/features/agents/agent-texts'
import { type Finder, indexEntries, plainWords } from '../../apps/server/src/features/agents/agent-words'
import { exchange, numbers } from '../cloud/texts'

export const sizes = { agents: 100_000, creators: 2_000, ownAgents: 150, hiddenPart: 0.1 } as const

/** Words in known places. `half`: in the about of every other agent; `firstHalf` and `otherHalf` never in one agent. */
export const planted = {
  half: 'alternating',
  firstHalf: 'evenhanded',
  otherHalf: 'oddity',
  rare: 'zyxwquark',
  mistyped: 'zyxwqurak',
  halfMistyped: 'alternatting',
} as const

const batchSize = 1_000
const begin = Date.UTC(2024, 0, 1)

type Texts = { language: AgentLanguage; role: string; about: string; defaultGreetings: string }
type NewAgent = {
  id: string
  userId: string
  name: string
  texts: Texts[]
  isPrivate: boolean
  isEnabled: boolean
  likes: number
  at: string
  entries: string[]
}

/** Fills the marketplace; `userId` has some agents of their own in it. Answers an agent's id and a creator. */
export async function fill(client: pg.Client, userId: string): Promise<{ agentId: string; creatorId: string }> {
  const next = numbers(11)
  const creators = Array.from({ length: sizes.creators }, () => randomUUID())
  await client.query(
    `insert into users (id, kind, email, name, email_confirmed_at) select id, 'email', id || '@example.org', 'Somebody', now() from unnest($1::uuid[]) as id`,
    [creators],
  )
  const words = new Set<string>()
  let agentId = ''
  for (let from = 0; from < sizes.agents; from += batchSize) {
    const batch = Array.from({ length: batchSize }, (_, n) => {
      const isOwn = (from + n) % Math.floor(sizes.agents / sizes.ownAgents) === 0
      return anAgent(from + n, isOwn ? userId : (creators[Math.floor(next() * creators.length)] ?? userId), next)
    })
    for (const agent of batch) for (const word of plainWords(agent)) words.add(word)
    await insert(client, batch)
    agentId = batch.find(({ isPrivate, isEnabled }) => !isPrivate && isEnabled)?.id ?? agentId
  }
  await client.query('insert into agent_words (word) select unnest($1::text[]) on conflict do nothing', [[...words]])
  // As the server's own housekeeping leaves them.
  for (const table of ['agents', 'agent_search', 'agent_secrets', 'agent_words'])
    await client.query(`vacuum (analyze) ${table}`)
  return { agentId, creatorId: creators[0] ?? '' }
}

function anAgent(place: number, userId: string, next: () => number): NewAgent {
  // Most agents have one language, some two or three; Spanish is the rarest.
  const first = next() < 0.6 ? 'en' : next() < 0.8 ? 'pt' : 'es'
  const languages = [first, ...agentLanguages.filter((language) => language !== first && next() < 0.1)] as const
  const words = [
    place % 2 === 0 ? `${planted.half} ${planted.firstHalf}` : planted.otherHalf,
    ...(place === 123 || place === 60_000 || place === 99_999 ? [planted.rare] : []),
  ]
  const texts = languages.map((language) => {
    const { question, answer } = exchange(next)
    return {
      language,
      role: question.slice(0, 200),
      about: `${answer.slice(0, 500)} ${words.join(' ')}`,
      defaultGreetings: '',
    }
  })
  const name = exchange(next).question.slice(0, 30).trim()
  const [isPrivate, isEnabled] = [next() < sizes.hiddenPart, next() >= sizes.hiddenPart]
  const finders: Finder[] = [{ ownerId: userId }, ...(isEnabled && !isPrivate ? [{ list: 'community' as const }] : [])]
  const at = new Date(begin + place * 10 * 60_000).toISOString()
  // A few are liked by thousands, most by hardly anybody.
  const likes = Math.floor(5_000 * next() ** 12)
  return {
    id: uuidv7(),
    userId,
    name,
    texts,
    isPrivate,
    isEnabled,
    likes,
    at,
    entries: indexEntries({ name, texts }, finders),
  }
}

async function insert(client: pg.Client, batch: readonly NewAgent[]): Promise<void> {
  const columns = <T>(read: (agent: NewAgent) => T): T[] => batch.map(read)
  await client.query(
    `insert into agents (id, source, user_id, name, category, profile_image, texts, language_bits, is_private, is_enabled, likes, created_at, updated_at)
     select id, 'community', user_id, name, 'Assistant', '/api/faces/x.svg', texts, bits, is_private, is_enabled, likes, at, at
     from unnest($1::text[], $2::uuid[], $3::text[], $4::jsonb[], $5::smallint[], $6::boolean[], $7::boolean[], $8::integer[], $9::timestamptz[])
       as given (id, user_id, name, texts, bits, is_private, is_enabled, likes, at)`,
    [
      columns(({ id }) => id),
      columns(({ userId }) => userId),
      columns(({ name }) => name),
      columns(({ texts }) => JSON.stringify(texts)),
      columns(({ texts }) => languageBits(texts.map(({ language }) => language))),
      columns(({ isPrivate }) => isPrivate),
      columns(({ isEnabled }) => isEnabled),
      columns(({ likes }) => likes),
      columns(({ at }) => at),
    ],
  )
  await client.query(
    `insert into agent_search (agent_id, words, likes, created_at)
     select id, array_to_tsvector(string_to_array(entries, ' ')), likes, at
     from unnest($1::text[], $2::text[], $3::integer[], $4::timestamptz[]) as given (id, entries, likes, at)`,
    [
      columns(({ id }) => id),
      columns(({ entries }) => entries.join(' ')),
      columns(({ likes }) => likes),
      columns(({ at }) => at),
    ],
  )
  await client.query(
    `insert into agent_secrets (agent_id, prompts, knowledge) select id, $2::jsonb, '' from unnest($1::text[]) as id`,
    [columns(({ id }) => id), JSON.stringify({ en: 'You are helpful. '.repeat(60) })],
  )
}

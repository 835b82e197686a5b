import { randomUUID } from 'node:crypto'
import { foldedMessage } from '@parley/contract/search-text'
import { uuidv7 } from '@parley/contract/uuid'
import type pg from 'pg'
import { exchange, numbers } from './texts'

/** What the measured account has, and what stands in the same tables beside it. */
export const sizes = {
  channels: 10_000,
  messagesOfLongest: 50_000,
  messagesOfOthers: 2,
  strangers: 1_000,
  channelsOfStranger: 40,
  messagesOfStranger: 2,
  /** Channels that strangers share with the account. */
  shared: 20,
} as const

/**
 * Words that stand in known places. `half`: in every other message of the longest channel; `firstHalf` and `otherHalf`
 * never in one message.
 */
export const planted = {
  rare: 'zyxwquark',
  half: 'alternating',
  firstHalf: 'evenhanded',
  otherHalf: 'oddity',
  shared: 'joinedneedle',
} as const

const batchSize = 1_000
const begin = Date.UTC(2024, 0, 1)

/** `at`: how many times twenty minutes after the first one. */
type MessageText = { question: string; answer: string; at: number }
type NewChannel = { id: string; userId: string; name: string; texts: MessageText[] }

/** Fills the tables as an app that was used for two years would have; answers the longest channel's id. */
export async function fill(client: pg.Client, userId: string): Promise<string> {
  const next = numbers(7)
  const longest: NewChannel = { id: uuidv7(), userId, name: 'The long one', texts: longestTexts(next) }
  const own = Array.from({ length: sizes.channels - 1 }, (_, n) =>
    channel(userId, `Channel number ${n}`, sizes.messagesOfOthers, next),
  )
  const strangers = Array.from({ length: sizes.strangers }, () => randomUUID())
  await insertUsers(client, strangers)
  const theirs = strangers.flatMap((id) =>
    Array.from({ length: sizes.channelsOfStranger }, (_, n) =>
      channel(id, `Theirs ${n}`, sizes.messagesOfStranger, next),
    ),
  )
  const shared = theirs.filter((_, index) => index % sizes.channelsOfStranger === 0).slice(0, sizes.shared)
  for (const { texts } of shared)
    texts.push({ question: `What about the ${planted.shared}?`, answer: 'It is shared.', at: sizes.messagesOfLongest })
  const all = [longest, ...own, ...theirs]
  await insertChannels(client, all)
  await insertMessages(client, all)
  await client.query(
    `insert into channel_members (channel_id, user_id, role, joined_at) select unnest($1::text[]), $2::uuid, 'read', now()`,
    [shared.map(({ id }) => id), userId],
  )
  // As the server's own housekeeping leaves them.
  await client.query('vacuum (analyze) messages')
  await client.query('analyze')
  return longest.id
}

function longestTexts(next: () => number): MessageText[] {
  return Array.from({ length: sizes.messagesOfLongest }, (_, n) => {
    const { question, answer } = exchange(next)
    const words = [
      n % 2 === 0 ? `${planted.half} ${planted.firstHalf}` : planted.otherHalf,
      ...(n === 123 || n === 30_000 || n === 49_999 ? [planted.rare] : []),
    ]
    return { question, answer: `${answer} ${words.join(' ')}`, at: n }
  })
}

const channel = (userId: string, name: string, count: number, next: () => number): NewChannel => ({
  id: uuidv7(),
  userId,
  name,
  texts: Array.from({ length: count }, () => ({ ...exchange(next), at: Math.floor(next() * sizes.messagesOfLongest) })),
})

async function insertUsers(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query(
    `insert into users (id, kind, email, name, email_confirmed_at) select id, 'email', id || '@example.org', 'Somebody', now() from unnest($1::uuid[]) as id`,
    [ids],
  )
}

async function insertChannels(client: pg.Client, channels: readonly NewChannel[]): Promise<void> {
  await client.query(
    `insert into channels (id, user_id, client_id, channel_name, name_key, is_document, is_image, is_youtube, is_locked, last_position, created_at, updated_at)
     select id, user_id, id, name, lower(name), false, false, false, false, last_position, at, at
     from unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[]) as given (id, user_id, name, last_position, at)`,
    [
      channels.map(({ id }) => id),
      channels.map(({ userId }) => userId),
      channels.map(({ name }) => name),
      channels.map(({ texts }) => texts.length),
      channels.map((_, n) => momentOf(sizes.messagesOfLongest - n)),
    ],
  )
}

const momentOf = (n: number): string => new Date(begin + n * 20 * 60_000).toISOString()

async function insertMessages(client: pg.Client, channels: readonly NewChannel[]): Promise<void> {
  let written = 0
  let batch: (MessageText & { channelId: string; userId: string; position: number })[] = []
  const write = async (): Promise<void> => {
    await client.query(
      `insert into messages (channel_id, m_id, owner_id, position, question, answer, status, author_user_id, asked_at, updated_at, folded)
       select channel_id, m_id, owner_id, position, question, answer, 'completed', owner_id, asked_at, asked_at::timestamptz, folded
       from unnest($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
         as given (channel_id, m_id, owner_id, position, question, answer, asked_at, folded)`,
      [
        batch.map(({ channelId }) => channelId),
        batch.map(() => uuidv7()),
        batch.map(({ userId }) => userId),
        batch.map(({ position }) => position),
        batch.map(({ question }) => question),
        batch.map(({ answer }) => answer),
        batch.map(({ at }) => momentOf(at)),
        batch.map(({ question, answer }) => foldedMessage(question, answer)),
      ],
    )
    batch = []
    // Triggers cache their query plans. Those of an empty table read the whole channel for each row, and without
    // autovacuum they stay until the next `analyze`.
    if (written++ % 10 === 0) await client.query('analyze messages, runs, channels')
  }
  for (const { id, userId, texts } of channels) {
    for (const [index, text] of texts.entries()) {
      batch.push({ ...text, channelId: id, userId, position: index + 1 })
      if (batch.length === batchSize) await write()
    }
  }
  if (batch.length > 0) await write()
}

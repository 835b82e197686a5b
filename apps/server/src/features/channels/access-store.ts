import type { StoredChatSettings } from '@parley/contract/chat-settings'
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { channelMembers, channels } from '../../db/schema/channels'
import type { AccessRequest } from './public/channel-access'

const isOwnerOrMember = (actorId: string) => or(eq(channels.userId, actorId), isNotNull(channelMembers.userId))

/** Of a member who has none of their own it is the owner's. A channel whose owner has none has no branches. */
const headRunId = sql<
  string | null
>`case when ${channels.headRunId} is not null then coalesce(${channelMembers.headRunId}, ${channels.headRunId}) end`

/** The owner of the channel, the member's role and head; undefined for a person who is not in the channel. */
export async function findRole(
  db: Db,
  { actorId, channelId }: AccessRequest,
): Promise<{ ownerId: string; role: 'read' | 'write' | null; headRunId: string | null } | undefined> {
  const [row] = await db
    .select({ ownerId: channels.userId, role: channelMembers.role, headRunId })
    .from(channels)
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(eq(channels.id, channelId), isOwnerOrMember(actorId)))
  return row
}

/** The settings of a channel that this person is in. */
export async function findSettings(
  db: Db,
  { actorId, channelId }: AccessRequest,
): Promise<StoredChatSettings | undefined> {
  const [row] = await db
    .select({ settings: channels.settings })
    .from(channels)
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(eq(channels.id, channelId), isOwnerOrMember(actorId)))
  return row?.settings
}

/** The agent of a channel that this person is in. */
export async function findAssistantId(db: Db, { actorId, channelId }: AccessRequest): Promise<string | null> {
  const [row] = await db
    .select({ assistantId: channels.assistantId })
    .from(channels)
    .leftJoin(channelMembers, and(eq(channelMembers.channelId, channels.id), eq(channelMembers.userId, actorId)))
    .where(and(eq(channels.id, channelId), isOwnerOrMember(actorId)))
  return row?.assistantId ?? null
}

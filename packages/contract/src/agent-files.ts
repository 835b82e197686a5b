// Files of an agent's knowledge: read as sources are, searched for each question to the agent, and shown to its owner
// alone.
import * as z from 'zod/mini'
import { route } from './route'
import { Source } from './sources'

/** A file of somebody's own: of an agent, or of one that is not saved yet. */
export const AgentFile = z.extend(
  z.pick(Source, {
    ...{ id: true, name: true, mediaType: true, bytes: true, sha256: true, status: true, progress: true },
    ...{ reason: true, pages: true, characters: true, passages: true, notices: true, addedAt: true },
  }),
  { assistantId: z.optional(z.string()) },
)
export type AgentFile = z.infer<typeof AgentFile>

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const params = z.object({ id: Id })

/** All of them for the owner alone: for everybody else there is no such file. */
export const agentFileRoutes = {
  /** A multipart form with the one field `document`. The file belongs to no agent until one is saved with it. */
  upload: route({
    method: 'POST',
    path: '/v1/assistants/files',
    response: AgentFile,
    status: 201,
    summary: "Adds a file for the knowledge of one's agents; it is kept once an agent is saved with it",
  }),
  list: route({
    method: 'GET',
    path: '/v1/assistants/files',
    query: z.object({ assistant_id: Id }),
    response: z.array(AgentFile),
    summary: "The files of one's agent, oldest first",
  }),
  read: route({
    method: 'GET',
    path: '/v1/assistants/files/:id',
    params,
    response: AgentFile,
    summary: "One of one's files, and how far it is read",
  }),
  retry: route({
    method: 'POST',
    path: '/v1/assistants/files/:id/retry',
    params,
    response: AgentFile,
    summary: 'Reads a file again that could not be read',
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/assistants/files/:id',
    params,
    response: z.void(),
    status: 204,
    summary: 'Removes a file with its text and passages; one that is being read is cancelled',
  }),
} as const

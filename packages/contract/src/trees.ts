import * as z from 'zod/mini'
import { Exchange, Run } from './conversations'
import { limits } from './limits/shared'
import { route } from './route'

const Id = z.string().check(z.minLength(1), z.maxLength(200))
const params = z.object({ id: Id })

/** An exchange with all its runs, oldest first. */
export const TreeItem = z.object({ exchange: Exchange, runs: z.array(Run) })

/**
 * A whole cloud channel, every version of every message in it: for copies, which only its owner makes. `author` of an
 * exchange is as its owner reads it.
 */
export const treeRoutes = {
  read: route({
    method: 'GET',
    path: '/api/channel/:id/tree',
    params,
    query: z.object({ after: z.optional(z.string().check(z.maxLength(100))) }),
    response: z.object({
      /** What others follow stands before them. Tombstones are among them. */
      exchanges: z.array(TreeItem),
      /** The run that the owner reads up to; null: each exchange follows the newest run of the one before it. */
      head: z.nullable(z.string()),
      /** For `after` of the next call; absent where there are no more. */
      cursor: z.optional(z.string()),
    }),
    summary: 'A page of all that a cloud channel holds, with every version',
  }),
  /** What is there already stays, so that a repeated call adds nothing twice. */
  write: route({
    method: 'PUT',
    path: '/api/channel/:id/tree',
    params,
    body: z.object({
      /** What others follow stands before them, here or in an earlier call. */
      exchanges: z.array(TreeItem).check(z.maxLength(limits.cloud.maxImportBatch)),
      /** The run that the owner is to read up to from now on. */
      head: z.optional(Run.shape.id),
    }),
    response: z.void(),
    status: 204,
    summary: 'Adds exchanges and runs to a cloud channel; of two states of one run the later one stands',
  }),
}

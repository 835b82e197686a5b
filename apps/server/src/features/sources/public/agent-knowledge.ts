import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { Db } from '../../../db/client'
import { isFileId } from '../agent-file-service'
import { listReadFiles, lockUsableFiles, setFilesOf } from '../agent-file-store'
import { bestPassages } from '../passage-search'
import type { FoundPassage } from '../passage-store'
import type { VectorSearch } from '../vector-search'

/**
 * In the transaction that saves an agent: it has these files afterwards, and no others; of two with the same content
 * the first one stays. Throws agent.file-gone for a file that is not this person's, or of another agent;
 * agent.too-many-files.
 */
export async function saveAgentFiles(
  tx: Db,
  { ownerId, agentId, fileIds }: { ownerId: string; agentId: string; fileIds: readonly string[] },
): Promise<void> {
  const ids = [...new Set(fileIds)]
  if (ids.length > limits.agents.maxFiles) throw new AppError('agent.too-many-files')
  const rows = new Map(
    (await lockUsableFiles(tx, { ownerId, agentId }, ids.filter(isFileId))).map((row) => [row.id, row]),
  )
  const contents = new Set<string>()
  const [kept, copies]: [string[], string[]] = [[], []]
  for (const id of ids) {
    const row = rows.get(id)
    if (!row) throw new AppError('agent.file-gone')
    ;(contents.has(row.sha256) ? copies : kept).push(id)
    contents.add(row.sha256)
  }
  await setFilesOf(tx, { ownerId, agentId }, { kept, copies })
}

/** `ids`: of a person's own files. */
type Which = { ownerId: string } & ({ agentId: string } | { ids: readonly string[] })

/** How much of the files there is, and the search in them. */
export type ReadKnowledge = {
  characters: number
  /** All of it in at most so many characters, else the passages nearest to the question; without names of files. */
  passagesFor(question: string, maxCharacters: number): Promise<string>
}

/** Searches the files of agents' knowledge. What it finds is for the model alone. */
export class AgentKnowledge {
  /** `vectors`: searches by meaning too; the questions of everybody, those of devices included, go to its service. */
  constructor(private readonly deps: { db: Db; vectors?: Pick<VectorSearch, 'nearest'> | undefined }) {}

  async of({ ownerId, ...which }: Which): Promise<ReadKnowledge> {
    const { db } = this.deps
    const wanted = 'ids' in which ? { ids: which.ids.filter(isFileId) } : which
    const sources = 'ids' in wanted && wanted.ids.length === 0 ? [] : await listReadFiles(db, ownerId, wanted)
    const ids = sources.map(({ id }) => id)
    return {
      characters: sources.reduce((sum, { characters }) => sum + (characters ?? 0), 0),
      passagesFor: async (question, maxCharacters) => {
        // As the contract's token-estimate.ts counts; text that is not ASCII takes more.
        const asked = { ownerId, sources, scopes: ids, question, roomTokens: Math.floor(maxCharacters / 4) }
        const found = await bestPassages(this.deps, asked)
        const order = new Map(ids.map((id, index) => [id, index]))
        const placeOf = ({ sourceId }: FoundPassage): number => order.get(sourceId) ?? 0
        return textOf(found.sort((one, other) => placeOf(one) - placeOf(other) || one.index - other.index))
      },
    }
  }
}

/** Passages with the headings that they are under; a line with … where some are left out between two. */
function textOf(passages: readonly FoundPassage[]): string {
  return passages
    .map(({ sourceId, index, headings, text }, at) => {
      const before = passages[at - 1]
      const isNext = before?.sourceId === sourceId && before.index === index - 1
      const under = headings.join(' › ')
      const isUnderSame = isNext && before.headings.join(' › ') === under
      const gap = at === 0 || isNext ? '' : '…\n'
      return `${gap}${under === '' || isUnderSame ? '' : `[${under}]\n`}${text}`
    })
    .join('\n')
}

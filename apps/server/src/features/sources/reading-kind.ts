/** The job that reads a source: its key is the source's id, its payload `{ ownerId }`. */
export const readKind = 'sources.read'

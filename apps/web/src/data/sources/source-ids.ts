/** The ids that sources have elsewhere, by those that they have here; the others have the same one. */
export type SourceIds = ReadonlyMap<string, string>

/** Also of a kind that this version does not know: `fileId` names a source in every part. */
export function withId<T extends object>(part: T, ids: SourceIds): T {
  const there = 'fileId' in part && typeof part.fileId === 'string' ? ids.get(part.fileId) : undefined
  return there === undefined ? part : { ...part, fileId: there }
}

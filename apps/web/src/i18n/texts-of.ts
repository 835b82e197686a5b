/** The texts of a folder by their subjects: `./chat.json` has those of `chat`. */
export function textsOf(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.slice('./'.length, -'.json'.length), texts]),
  )
}

/** Maps words to the entries that contain them. A search term matches the beginning of a word. */
export class WordIndex<Entry> {
  private entries: (Entry | undefined)[] = []
  private removed = 0
  /** The ascending numbers of the entries that contain a word. */
  private readonly holders = new Map<string, number[]>()
  /** All words sorted, and the words added since the last sort. */
  private sorted: string[] = []
  private fresh: string[] = []

  get size(): number {
    return this.entries.length - this.removed
  }

  /** Answers the entry's number, for `remove`; `compact` may change it. */
  add(entry: Entry, words: Iterable<string>): number {
    const number = this.entries.push(entry) - 1
    for (const word of words) {
      const holders = this.holders.get(word)
      if (!holders) {
        this.holders.set(word, [number])
        this.fresh.push(word)
      } else if (holders.at(-1) !== number) holders.push(number)
    }
    return number
  }

  /** The entry is not found any more; its words stay until the next `compact`. */
  remove(number: number): void {
    if (this.entries[number] === undefined) return
    this.entries[number] = undefined
    this.removed++
  }

  /** The entries that match all terms, in no order. */
  find(terms: readonly string[]): Entry[] {
    if (terms.length === 0) return []
    this.sortWords()
    const matched = new Uint16Array(this.entries.length)
    for (const [index, term] of terms.entries()) {
      for (let at = firstNotBefore(this.sorted, term); this.sorted[at]?.startsWith(term); at++)
        for (const number of this.holders.get(this.sorted[at] ?? '') ?? [])
          if (matched[number] === index) matched[number] = index + 1
    }
    return this.entries.filter(
      (entry, number): entry is Entry => entry !== undefined && matched[number] === terms.length,
    )
  }

  /**
   * Frees the removed entries once they outnumber the others, and calls `renumber` for each entry whose number changed.
   */
  compact(renumber: (entry: Entry, number: number) => void): void {
    if (this.removed < 1_000 || this.removed < this.size) return
    const numbers = new Map<number, number>()
    for (const [number, entry] of this.entries.entries()) if (entry !== undefined) numbers.set(number, numbers.size)
    for (const [word, holders] of this.holders) {
      const left = holders.flatMap((number) => numbers.get(number) ?? [])
      if (left.length > 0) this.holders.set(word, left)
      else this.holders.delete(word)
    }
    this.entries = this.entries.filter((entry) => entry !== undefined)
    this.removed = 0
    this.sorted = [...this.holders.keys()].sort()
    this.fresh = []
    for (const [number, entry] of this.entries.entries()) if (entry !== undefined) renumber(entry, number)
  }

  private sortWords(): void {
    if (this.fresh.length === 0) return
    this.sorted = merged(this.sorted, this.fresh.sort())
    this.fresh = []
  }
}

function firstNotBefore(sorted: readonly string[], term: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? '') < term) from = middle + 1
    else to = middle
  }
  return from
}

/** Merges two sorted lists, without sorting the long one again. */
function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = []
  let at = 0
  for (const word of a) {
    for (let next = b[at]; next !== undefined && next < word; next = b[++at]) all.push(next)
    all.push(word)
  }
  for (; at < b.length; at++) all.push(b[at] ?? '')
  return all
}

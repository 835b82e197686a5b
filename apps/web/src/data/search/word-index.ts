/** Which entries hold which words. Words are found by their beginning. */
export class WordIndex<Entry> {
  private entries: (Entry | undefined)[] = []
  private removed = 0
  /** The numbers of the entries that hold a word, rising. */
  private readonly holders = new Map<string, number[]>()
  /** All words in order, and those that came since they were last put in order. */
  private sorted: string[] = []
  private fresh: string[] = []

  get size(): number {
    return this.entries.length - this.removed
  }

  /** Answers the number under which the entry can be removed, until `compact` says that it has another. */
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

  /** Its words stay until the next `compact`; nothing finds it any more. */
  remove(number: number): void {
    if (this.entries[number] === undefined) return
    this.entries[number] = undefined
    this.removed++
  }

  /** The entries in which each of the terms begins a word, in no order. */
  find(terms: readonly string[]): Entry[] {
    if (terms.length === 0) return []
    this.sortWords()
    const matched = new Uint16Array(this.entries.length)
    for (const [index, term] of terms.entries()) {
      for (let at = firstNotBefore(this.sorted, term); this.sorted[at]?.startsWith(term); at++)
        for (const number of this.holders.get(this.sorted[at] ?? '') ?? []) if (matched[number] === index) matched[number] = index + 1
    }
    return this.entries.filter((entry, number): entry is Entry => entry !== undefined && matched[number] === terms.length)
  }

  /** Frees what was removed once it is more than what is left. Each entry that has another number then is told it. */
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

/** Two lists in order as one: the long one is not sorted again for each few words. */
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

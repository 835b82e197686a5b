/** What nodes tell each other. In process without REDIS_URL, Redis with it; the meaning is the same. */
export interface Bus {
  /** Delivered to every node, this one included; best effort, never stored. */
  publish(topic: string, message: string): Promise<void>
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>
  /** Adds one to a counter that forgets itself `windowMs` after its first count. */
  count(key: string, windowMs: number): Promise<{ count: number; resetMs: number }>
  /** Starts the counter anew. */
  forget(key: string): Promise<void>
  /** The resumable log of answers being written. */
  readonly log: StreamLog
  /** True while the transport answers. */
  healthy(): Promise<boolean>
  close(): Promise<void>
}

/** One entry is one frame of an answer, as JSON; `seq` starts at 1 and grows by one. */
export type LogEntry = { seq: number; frame: string }

/** An ordered log for each answer, kept `limits.chat.resumeWindowMs` after its end. Redis holds it encrypted. */
export interface StreamLog {
  /**
   * Refuses a seq that is not greater than the last one, and everything once the log is sealed or finished, with a
   * FencedError: nobody sees the entry then. Resolves when readers of this node can see it. With Redis it is there
   * before anybody is shown it, unless Redis cannot be reached.
   */
  append(id: string, entry: LogEntry): Promise<void>
  /** Marks the end: readers finish after the last entry. */
  finish(id: string): Promise<void>
  /**
   * Keeps its writer out from now on, on any node, and answers what is in it; undefined where there is no such log or
   * it cannot be asked.
   */
  seal(id: string): Promise<LogEntry[] | undefined>
  /**
   * Writes the last entry of a sealed log behind whatever is in it, and finishes it. Without effect on one that is not
   * there or finished.
   */
  end(id: string, frameOf: (seq: number) => string): Promise<void>
  /**
   * Entries after `afterSeq`, waiting for new ones until the log is finished or `signal` aborts. Yields batches (never
   * empty): what is there is given at once. When the log no longer reaches back to `afterSeq`, the first batch begins
   * with the oldest entry kept. Ends at once when there is no such log.
   */
  read(id: string, afterSeq: number, signal: AbortSignal): AsyncIterable<LogEntry[]>
  /** Of the newest entry; 0 when there is none. */
  lastSeq(id: string): Promise<number>
  /** Replaces everything up to `entry.seq` by this one entry (a snapshot frame), so that the log stays bounded. */
  compact(id: string, entry: LogEntry): Promise<void>
  /** Forgets what is in it, on every node. */
  remove(id: string): Promise<void>
}

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
   * Refuses a seq that is not greater than the last one, which fences a writer that was taken over. Resolves when readers of this node can see it.
   * A node that has nothing of the log may append to another node's: so the reaper tells readers that the answer is over.
   */
  append(id: string, entry: LogEntry): Promise<void>
  /** Marks the end: readers finish after the last entry. */
  finish(id: string): Promise<void>
  /**
   * Entries after `afterSeq`, waiting for new ones until the log is finished or `signal` aborts. Yields batches (never empty): what is there is given at once.
   * When the log no longer reaches back to `afterSeq`, the first batch begins with the oldest entry kept.
   * Ends at once when there is no such log.
   */
  read(id: string, afterSeq: number, signal: AbortSignal): AsyncIterable<LogEntry[]>
  exists(id: string): Promise<boolean>
  /** Of the newest entry; 0 when there is none. */
  lastSeq(id: string): Promise<number>
  /** Replaces everything up to `entry.seq` by this one entry (a snapshot frame), so that the log stays bounded. */
  compact(id: string, entry: LogEntry): Promise<void>
}

/** Part of the server's limits: reading and storing of sources. */
export const sources = {
  /** Of files of one account together. */
  quotaBytes: 2 * 1024 ** 3,
  /** Reading one source may take at most so long, and its process so much memory. */
  readMs: 5 * 60_000,
  readerMemoryBytes: 768 * 1024 * 1024,
  readAttempts: 3,
  /** While the store is away. */
  storeAttempts: 10,
  /** At a time on one node. */
  readersPerNode: 2,
  heartbeatMs: 2_000,
  firstRetryMs: 1_000,
  maxRetryMs: 10 * 60_000,
  /** A website or video: DECISIONS section 8. */
  fetchBytes: 10 * 1024 * 1024,
  fetchMs: 15_000,
  maxRedirects: 3,
  fetchesPerMinute: 20,
  /** Websites that are read for devices at the same time. */
  pagesAtOncePerNode: 3,
  maxFetchedDocumentBytes: 32 * 1024 * 1024,
  /** An upload that nobody continues is removed. */
  uploadHours: 24,
  /** A longer text is uploaded as a file. */
  textBodyBytes: 4 * 1024 * 1024,
  uploadChunkBytes: 8 * 1024 * 1024,
  /** Files of what was deleted otherwise than by its own call. */
  removeEveryMs: 15_000,
} as const

/** Part of the server's limits: vectors of passages. */
export const embeddings = {
  timeoutMs: 60_000,
  /** Of one call. */
  batchTexts: 64,
  batchCharacters: 120_000,
  /** A longer text is cut: no model reads more. */
  maxTextLength: 8_000,
  maxDimensions: 4_096,
  maxAnswerBytes: 16 * 1024 * 1024,
  /** Passages between two writes, so that a job that begins again begins late. */
  writePassages: 256,
  jobsPerNode: 2,
  firstRetryMs: 2_000,
  maxRetryMs: 3_600_000,
  /** What was read without vectors, or has those of another model, is looked for so often, and so much at a time. */
  backfillEveryMs: 10 * 60_000,
  backfillSources: 1_000,
  /** A question waits no longer for its vector; after a failure none is asked for a while. */
  questionMs: 3_000,
  restMs: 30_000,
  /** Without pgvector no more are compared with a question, in pages of so many. */
  maxCompared: 6_000,
  comparedPage: 500,
  /** Nearest passages that words are merged with. */
  nearest: 100,
} as const

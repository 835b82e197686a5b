/** Of a search of the web for a question. */
const search = {
  /** Of an engine's answer. */
  answerBytes: 2 * 1024 * 1024,
  answerMs: 6_000,
  /** From the query to the last page that is read; what is not read by then is left out. */
  totalMs: 15_000,
  /** Pages that are read for one question, and of one website. */
  maxPages: 4,
  maxPagesOfSite: 2,
  /** At a time on one node, for all questions. */
  pagesAtOncePerNode: 3,
  /** Of each page, those that are compared with the question. */
  maxPassagesPerPage: 120,
  /** Passages that go along with a question. */
  maxSentPassages: 12,
  maxQueryLength: 300,
  /** What a model that writes the query reads of the conversation, and may write. */
  queryContextTokens: 1_000,
  queryTokens: 200,
  /** Results that a gateway's own search adds to a prompt. */
  gatewayResults: 5,
  /** About as many tokens as one of them has. */
  gatewayResultTokens: 1_200,
} as const

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
  /** What a question of a device carries, unpacked: lists within each other, and values in all. */
  maxSentDepth: 6,
  maxSentValues: 10_000,
  /** A larger picture, or one with more pixels, goes to models as the text that was read in it. */
  maxPictureBytes: 20 * 1024 * 1024,
  maxPicturePixels: 40_000_000,
  pictureSeconds: 10,
  /** Files of what was deleted otherwise than by its own call. */
  removeEveryMs: 15_000,
  search,
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
  /** Of a person's devices: their passages once a second, and their questions. */
  deviceCallsPerMinute: 120,
  deviceBodyBytes: 768 * 1024,
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

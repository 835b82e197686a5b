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
} as const

/** Part of the server's limits: reading and storing of sources. */
export const sources = {
  /** Of files of one account together. */
  quotaBytes: 2 * 1024 ** 3,
  /** Reading one source may take at most so long, and its process so much memory. */
  readMs: 5 * 60_000,
  readerMemoryBytes: 768 * 1024 * 1024,
  readAttempts: 3,
  /** A website or video: DECISIONS section 8. */
  fetchBytes: 10 * 1024 * 1024,
  fetchMs: 15_000,
  maxRedirects: 3,
  fetchesPerMinute: 20,
  /** An upload that nobody continues is removed. */
  uploadHours: 24,
  uploadChunkBytes: 8 * 1024 * 1024,
} as const

/** The business numbers that both sides go by, grouped by subject, with the unit in their names. */
export const limits = {
  channels: {
    maxNameLength: 120,
  },
  chat: {
    maxQuestionLength: 100_000,
    contextExchanges: 7,
    maxContextMessages: 14,
    pingMs: 20_000,
    silenceMs: 45_000,
    maxFrameBytes: 256 * 1024,
  },
  /** How the answers of one chat are asked for. */
  chatSettings: {
    temperature: { least: 0, most: 2 },
    answerTokens: { least: 50, most: 32_000 },
    /** In UTF-16 units. */
    maxInstructions: 4_000,
  },
  /** What of a conversation goes along with a question. */
  context: {
    /** Of a model whose window the catalogue does not tell. */
    unknownWindowTokens: 20_000,
    /** Of the whole prompt, where the operator pays for the answer. */
    operatorPaidTokens: 16_000,
    /** Kept for the answer, but never more than one part in `answerShare` of the window. */
    reservedAnswerTokens: 16_384,
    answerShare: 4,
    /** One part in so many of the room stays empty: tokens are estimated, and models count them differently. */
    spareShare: 10,
    /** One part in so many is kept for the newest exchange, whatever is pinned. */
    newestShare: 4,
    /** Of one message, in UTF-16 units. */
    maxLength: 200_000,
    /** Beyond the last exchanges, on the wire. */
    maxEarlierMessages: 1_000,
    /** A summary is asked for where more than one part in so many of the path is left out. */
    summaryShare: 4,
    /** Of the summary that is asked for: one part in so many of the window, and at most so many tokens. */
    summaryWindowShare: 16,
    mostSummaryTokens: 800,
    /** Of one summary, in UTF-16 units; a person may make it longer than it was. */
    maxSummaryLength: 20_000,
    /** Of the room for what was said, a summary takes at most one part in so many. */
    summaryRoomShare: 2,
  },
  cloud: {
    maxChannelPage: 1_000,
    maxMessagePage: 100,
    maxImportBatch: 200,
    passageLength: 160,
  },
  search: {
    maxQueryLength: 200,
  },
  sharing: {
    maxMembers: 50,
    maxInvitationDays: 30,
    defaultInvitationDays: 7,
    forwardTargets: 20,
    /** Messages whose receipts are asked for in one call. */
    receiptsAtOnce: 50,
  },
  agents: {
    name: 30,
    role: 200,
    about: 1_000,
    prompt: 20_000,
    knowledge: 100_000,
    /** Of an agent's knowledge, beside what is typed. */
    maxFiles: 10,
    greeting: 2_000,
    maxPage: 100,
    communityPage: 21,
    productPage: 40,
    maxSearch: 200,
    drawnImages: 12,
    maxPictureBytes: 2 * 1024 * 1024,
    /** Agents of wallets. Sizes in characters, but for those of files. */
    sui: {
      page: 20,
      defaultPrice: 100,
      maxPrice: 1_000_000,
      maxVersions: 500,
      /** The public texts in three languages, each character escaped. */
      maxManifest: 60_000,
      maxSignature: 4_000,
      maxPrompts: 400_000,
      maxBundleBytes: 8 * 1024 * 1024,
      /** A manifest's time may differ from this server's by so much. */
      clockMs: 3_600_000,
      importsPerMinute: 5,
      anchorsPerMinute: 12,
      /** Of a transaction that anchors a version, and of its signature, in base64. */
      maxTransaction: 24_000,
      /** The events of a wallet that are looked through for anchors of an agent, the newest first. */
      anchorEventsPage: 50,
      maxAnchorEventPages: 6,
      /** Transactions that the node is asked for at once. */
      anchorsAtOnce: 5,
      /** For the node to show a transaction that a wallet has just sent. */
      anchorPollMs: [500, 1_000, 2_000, 4_000, 8_000],
    },
  },
  /** Documents, websites and videos of a channel. */
  webSearch: {
    /** What a search finds takes at most one in so many tokens of the model's window, and at most so many. */
    windowShare: 10,
    maxTokens: 6_000,
  },
  sources: {
    maxPerChannel: 50,
    maxUrlsPerCall: 10,
    maxFileBytes: 50 * 1024 * 1024,
    /** Of one source, in characters; what comes after is left out, and said. */
    maxTextLength: 20_000_000,
    maxPages: 5_000,
    maxUrlLength: 2_000,
    maxNameLength: 255,
    /** Of a channel on the device: what one question carries, in base64. */
    maxCompressedBytes: 64 * 1024,
    maxInflatedBytes: 1024 * 1024,
    maxSentPassages: 400,
    maxSentPictures: 4,
    /** Of a channel on the device: all pictures of one question together, in base64. */
    maxPicturesBytes: 120 * 1024,
    /** A longer side is scaled down. */
    maxPicturePixels: 2048,
    /** A picture counts as so many tokens of a prompt; models count at most so many. */
    pictureTokens: { likely: 1_600, most: 6_000 },
    /** Sources may take one in so many of the model's window. */
    windowShare: 3,
    /** A pasted text that is longer becomes a file. */
    pastedTextLength: 4_000,
    linkDebounceMs: 700,
    pollMs: 8_000,
    pollRetries: 3,
    urlPolls: 6,
    urlPollMs: 4_000,
  },
  pdf: {
    marginMm: 10,
    maxServerMessages: 5_000,
  },
  credits: {
    leastDollarsToSend: 1,
    /**
     * Of one answer: more is asked for by Continue. Its price is held, so that nothing is written that is not paid for.
     */
    mostOutputTokens: 16_384,
    historyPage: 50,
    maxHistoryPage: 200,
    spendingDays: 30,
    maxSpendingDays: 366,
    /** Longer subscriptions were bought for a year. */
    longestMonthDays: 31,
  },
  payments: {
    minDollars: 1,
    maxDollars: 10_000,
  },
} as const

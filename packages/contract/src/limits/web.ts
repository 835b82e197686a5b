/** The business numbers of the web app alone, grouped by subject, with the unit in their names. */
export const webLimits = {
  channels: {
    listStaleMs: 0,
    listCacheMs: 5 * 60_000,
    /** Messages read from a store at a time: enough for the tallest screen, small enough to decrypt at once. */
    messagePageSize: 50,
    /** Each older page is twice as long as the one before it, up to this: far places are reached in few steps. */
    maxMessagePageSize: 800,
  },
  /** Of the calls that the web app makes. Nothing waits for a network that swallows packets. */
  calls: {
    /** Until an answer begins. */
    answerMs: 30_000,
    /** Where the server works for long: files, pictures, imports. */
    slowAnswerMs: 120_000,
    /** Until the rest of it is there, and between two pieces of a stream. */
    bodyMs: 120_000,
    /** All tabs wait for a renewed token. */
    refreshMs: 8_000,
    /** The session ends here in any case. */
    logOutMs: 2_500,
    /** A server's own words are shown up to this length. */
    maxSaidLength: 300,
  },
  chat: {
    duplicateGuardMs: 5_000,
    /**
     * A page that is looked at again, or hears of a network, asks a connection that it believes open, and gives it this
     * long to answer.
     */
    probeMs: 5_000,
    reconnectAttempts: 3,
    reconnectDelayMs: 1_000,
    /** After the attempts failed, while an answer is unfinished and somebody looks at it. */
    lostRetryMs: 5_000,
    connectingRetryMs: 100,
    /** A connection that is not open by then never will be. */
    connectTimeoutMs: 10_000,
    /** After a server has ended, its clients come back spread over this time. */
    restartSpreadMs: 2_000,
    /** A send that is not acknowledged by then is sent again with the same message id. */
    acceptTimeoutMs: 5_000,
    /** Local answers in writing are kept on the device this often. */
    partialSaveMs: 1_000,
    /**
     * The end of an answer that could not be stored is stored again after this time, which doubles up to the longest.
     */
    storeRetryMs: 5_000,
    maxStoreRetryMs: 60_000,
  },
  auth: {
    /** The client asks for a new pair when fewer seconds remain. */
    refreshBeforeSeconds: 300,
    googleTimeoutMs: 180_000,
    resetRedirectMs: 5_000,
    queriesRefreshMs: 500,
  },
  cloud: {
    /**
     * So much of a move or an import goes into one call: at 1 Mbit/s it is sent in 8 s, far under the server's limit
     * for a request.
     */
    importCallBytes: 1_000_000,
  },
  search: {
    /** After the last key: what is typed on would be searched for in vain. */
    debounceMs: 200,
    /** Hits of this device that are shown at first, and so many more each time. */
    pageSize: 50,
    /** What is on the screen is searched again at most this often while messages are written. */
    refreshMs: 500,
  },
  sources: {
    /**
     * An upload goes in pieces, each of which can be sent again; the next one is larger or smaller, so that each takes
     * about this long.
     */
    firstPieceBytes: 256 * 1024,
    maxPieceBytes: 4 * 1024 * 1024,
    pieceMs: 3_000,
    uploadsAtOnce: 3,
    /** Without a network an upload is tried again after this time, which doubles up to the longest. */
    uploadRetries: 10,
    uploadRetryMs: 1_000,
    maxUploadRetryMs: 30_000,
    /** How often a website is asked for again where the server reads too many. */
    fetchRetries: 3,
    /**
     * Between two calls for vectors of passages, which leaves calls for questions; after a failure longer, twice as
     * long each time up to the longest.
     */
    vectorsPauseMs: 1_000,
    maxVectorsRetryMs: 5 * 60_000,
    /** A question waits no longer for its vector; after a failure none is asked for a while. */
    questionVectorMs: 3_000,
    vectorsRestMs: 30_000,
    /** Nearest passages that words are merged with. */
    nearestPassages: 100,
  },
  sharing: {
    /** What is shown meanwhile is gathered into one call. */
    receiptsGatherMs: 50,
  },
  agents: {
    /** A file of an agent's knowledge: until it has arrived, and between two questions for its state. */
    fileSendMs: 15 * 60_000,
    filePollMs: 1_500,
    productTabPage: 100,
    searchPage: 50,
    pickerPage: 10,
    /** Agents used last that the picker shows first. */
    recent: 5,
    /** Of the trending and the team's section of the first tab. */
    topPicks: 6,
    searchDebounceMs: 300,
    mineStaleMs: 5 * 60_000,
    mineCacheMs: 10 * 60_000,
    /** How long what the browser remembers counts beside the server's lists. */
    newAgentMs: 600_000,
    overrideMs: 7_200_000,
    likeMs: 4_800_000,
    /** A card's texts in three languages, in bytes. */
    maxCardBytes: 2 * 1024 * 1024,
    /** Of what was said in a trial, in characters, what goes with the next question. */
    maxTrialContext: 60_000,
  },
  models: {
    /** How long the browser keeps the list. */
    cacheMs: 24 * 60 * 60_000,
    /** Older than that, the picker asks for a new one when it opens. */
    refreshMs: 5 * 60_000,
    retries: 1,
    /** Models used last that the picker shows first. */
    recent: 5,
    /** From that many on the picker says so instead of their number. */
    manyModels: 175,
  },
  queries: {
    staleMs: 5 * 60_000,
    cacheMs: 10 * 60_000,
    retries: 3,
    mutationRetries: 1,
    mutationRetryMs: 500,
  },
  transfer: {
    version: '1.0',
    maxChannels: 100_000,
    /** Of what is in a file once inflated, and of one that is no zip. */
    maxImportBytes: 1024 * 1024 * 1024,
    /** Files of sources stand in a zip as they are: no more of it can be addressed. */
    maxZipBytes: 4 * 1024 * 1024 * 1024,
    /**
     * Inflated bytes for each one of the file, once more than `ratioFromBytes` came out of all its entries: chats in
     * writing have some ten.
     */
    maxInflateRatio: 50,
    ratioFromBytes: 16 * 1024 * 1024,
    maxZipEntries: 20_000,
    /** One channel is written at once, so it has to fit into memory. */
    maxMessagesOfChannel: 100_000,
    maxCharactersOfChannel: 256 * 1024 * 1024,
    /** Assistants, documents and users together. */
    maxRecords: 10_000,
    /** One entry of a list: a whole conversation in a ChatGPT export. */
    maxItemBytes: 64 * 1024 * 1024,
    maxItemValues: 1_000_000,
    /**
     * JSON values in all, also of what is passed over: for each byte of the file, once there are more than
     * `valuesFrom`.
     */
    maxValueRatio: 2,
    valuesFrom: 1_000_000,
    maxDepth: 64,
    shownErrors: 3,
    /** So long what an import replaced can be brought back. */
    undoDays: 30,
    /** The page is loaded anew so long after a good import. */
    reloadMs: 3_000,
    quickReloadMs: 2_000,
  },
  credits: {
    /** An answer that is likely to cost that much is announced before it is sent. */
    expensiveDollars: 0.05,
    /**
     * How long a question waits at most for the balance of whoever asks, and then until it is known whether its model
     * costs anything.
     */
    balanceMs: 10_000,
    shortageMs: 3_000,
    /** How long an answer is likely to be, for the announcement. */
    likelyOutputTokens: 700,
  },
  /** Of the pages that open without the app. */
  site: {
    /** Between the landing page and the section that a link of another page asked for. */
    scrollDelayMs: 500,
    /** A page that does not exist leads to the start after this, unless somebody does something on it. */
    leaveUnknownMs: 15_000,
    /** So often a page asks whether the maintenance is over. */
    maintenanceAskMs: 5_000,
  },
} as const

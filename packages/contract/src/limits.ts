/** Every business number of the product, grouped by subject, with the unit in its name. */
export const limits = {
  channels: {
    maxNameLength: 120,
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
    maxQuestionLength: 100_000,
    contextExchanges: 7,
    maxContextMessages: 14,
    duplicateGuardMs: 5_000,
    pingMs: 20_000,
    silenceMs: 45_000,
    /** A page that is looked at again, or hears of a network, asks a connection that it believes open, and gives it this long to answer. */
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
    /** The end of an answer that could not be stored is stored again after this time, which doubles up to the longest. */
    storeRetryMs: 5_000,
    maxStoreRetryMs: 60_000,
    resumeWindowMs: 10 * 60_000,
    ticketSeconds: 30,
    maxFrameBytes: 256 * 1024,
    maxMessagesPerMinute: 30,
    maxRunningAnswers: 3,
    maxRunningAnswersAnonymous: 1,
    /** Of one socket: what comes faster waits. */
    framesPerSecond: 20,
    /** So many may come at once after a silence. */
    frameBurst: 60,
    /** A frame counts once more for each so many bytes. */
    frameUnitBytes: 16 * 1024,
    /** Objects and lists within each other, and values in all: a frame with more is not read. */
    maxFrameDepth: 8,
    maxFrameValues: 1_000,
    /** Answers that one socket shows at a time. */
    maxWatchedAnswers: 20,
    /** Sockets that are opened from one address. */
    upgradesPerMinute: 300,
    maxSocketsPerPerson: 10,
    coalesceMs: 40,
    slowReaderBytes: 1024 * 1024,
    slowReaderMs: 30_000,
    /** Nothing may wait in a socket beyond this. */
    slowReaderMaxBytes: 8 * 1024 * 1024,
    maxLogBytes: 1024 * 1024,
    /** Of all finished answers that a node keeps for resuming, together; the oldest go first. */
    maxFinishedLogBytes: 64 * 1024 * 1024,
    /** A reader to whom nothing comes looks this often whether the answer is over. */
    silentLookMs: 5_000,
    /** An answer over plain HTTP shows that it lives while the model is silent: what stands between ends silent connections after a minute. */
    streamCommentMs: 15_000,
    /** What is kept of an answer that is over (its state and what it took, no text) so long: until then its question can be repeated without another answer. */
    keepGenerationsDays: 90,
    heartbeatMs: 5_000,
    leaseMs: 15_000,
    reapEveryMs: 3_000,
    drainMs: 25_000,
    /** Of the drain, kept for marking what is cut off and telling its readers. */
    closingMs: 3_000,
  },
  upstream: {
    connectMs: 10_000,
    firstTokenMs: 60_000,
    betweenTokensMs: 45_000,
    totalMs: 15 * 60_000,
    retriesBeforeFirstToken: 2,
    maxRetryAfterMs: 20_000,
    modelsCacheMs: 10 * 60_000,
    /** A gateway whose list could not be fetched is not asked for it again before. */
    modelsRetryMs: 30_000,
    modelsTimeoutMs: 10_000,
  },
  anonymous: {
    paidGatewayDailyMessages: 20,
    /** The cap of one address, as a multiple of one person's. */
    addressFactor: 5,
    cookieDays: 30,
  },
  /** Paid answers an hour of people who are charged nothing because they sign in with a wallet: a key pair costs nothing. */
  fairUse: { windowMs: 3_600_000, perWallet: 30, perAddress: 60, total: 1_000 },
  auth: {
    accessTokenSeconds: 900,
    refreshTokenDays: 30,
    /** The client asks for a new pair when fewer seconds remain. */
    refreshBeforeSeconds: 300,
    /** Within it the token before the newest one is answered with the same child: two tabs, or an answer that was lost. */
    refreshLeewayMs: 10_000,
    /** How long after a sign-in the password may be changed without the old one. */
    freshMs: 10 * 60_000,
    confirmHours: 24,
    resetMinutes: 30,
    oneTimePasswordMinutes: 15,
    challengeMinutes: 5,
    googleNonceMinutes: 10,
    /** Unconfirmed accounts vanish after it. */
    unconfirmedDays: 30,
    revocationCheckMs: 4_000,
    loginsPerMinutePerAddress: 20,
    /** Wrong passwords for one account from one network address, or from one browser that has signed in before. */
    failedLoginsPerPlace: 10,
    /** Wrong passwords for one account, from all places together. */
    failedLoginsPerAccount: 100,
    /** A browser that has not signed in for so long counts as unknown. */
    knownBrowserDays: 180,
    failedLoginsWindowMs: 15 * 60_000,
    signupsPerMinutePerAddress: 10,
    signupsPerHourPerAddress: 60,
    /** Of one address of a mailbox, from wherever they come. */
    signupsPerHourPerAccount: 10,
    mailsPerMinutePerAccount: 1,
    mailsPerDayPerAccount: 5,
    resetsPerMinutePerAddress: 10,
    challengesPerMinutePerAddress: 30,
    refreshesPerMinutePerAddress: 60,
    googleTimeoutMs: 180_000,
    resetRedirectMs: 5_000,
    queriesRefreshMs: 500,
  },
  cloud: {
    maxChannelPage: 1_000,
    maxMessagePage: 100,
    maxImportBatch: 200,
    /** Of one import call: a batch of long answers. */
    importBodyBytes: 16 * 1024 * 1024,
    /**
     * So much of a move or an import goes into one call: at 1 Mbit/s it is sent in 8 s, far under the server's limit
     * for a request.
     */
    importCallBytes: 1_000_000,
    searchResults: 50,
    passageLength: 160,
    /** Streaming answers are stored this often, or after so much text, whichever comes first. */
    partialSaveMs: 1_000,
    partialSaveLength: 2_000,
  },
  search: {
    /** After the last key: what is typed on would be searched for in vain. */
    debounceMs: 200,
    maxQueryLength: 200,
    /** Hits of this device that are shown at first, and so many more each time. */
    pageSize: 50,
    /** What is on the screen is searched again at most this often while messages are written. */
    refreshMs: 500,
  },
  sharing: {
    maxMembers: 50,
    maxInvitations: 20,
    maxInvitationDays: 30,
    defaultInvitationDays: 7,
    previewsPerMinute: 30,
    acceptsPerMinute: 20,
    forwardTargets: 20,
    conversationPage: 10,
    /** Messages whose receipts are asked for in one call. */
    receiptsAtOnce: 50,
    /** What is shown meanwhile is gathered into one call. */
    receiptsGatherMs: 50,
  },
  agents: {
    /** Of an agent's words beside a shared link. */
    maxLinkDescription: 200,
    name: 30,
    role: 200,
    about: 1_000,
    prompt: 20_000,
    knowledge: 100_000,
    greeting: 2_000,
    maxPage: 100,
    communityPage: 21,
    productPage: 40,
    productTabPage: 100,
    searchPage: 50,
    pickerPage: 10,
    /** Agents used last that the picker shows first. */
    recent: 5,
    /** Of the trending and the team's section of the first tab. */
    topPicks: 6,
    maxSearch: 200,
    searchDebounceMs: 300,
    mineStaleMs: 5 * 60_000,
    mineCacheMs: 10 * 60_000,
    /** How long what the browser remembers counts beside the server's lists. */
    newAgentMs: 600_000,
    overrideMs: 7_200_000,
    likeMs: 4_800_000,
    perPerson: 200,
    savesPerMinute: 20,
    likesPerMinute: 60,
    imagesPerMinute: 10,
    uploadsPerMinute: 10,
    /** A page of the marketplace shows many at once. */
    facesPerMinute: 1_200,
    drawnImages: 12,
    /** Of one call of the image model. */
    generatedImages: 4,
    /** Calls of the image model by one person: afterwards faces are drawn. */
    generationsPerDay: 10,
    generateTimeoutMs: 90_000,
    /** Pictures that no agent uses are forgotten after it. */
    unusedPictureMs: 86_400_000,
    maxFaceSeed: 64,
    /** Of an agent's knowledge, what goes with a question. */
    knowledgeInContext: 24_000,
    maxPictureBytes: 2 * 1024 * 1024,
    maxPicturePixels: 40_000_000,
    pictureSize: 512,
    /** A card's texts in three languages, in bytes. */
    maxCardBytes: 2 * 1024 * 1024,
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
  queries: { staleMs: 5 * 60_000, cacheMs: 10 * 60_000, retries: 3, mutationRetries: 1, mutationRetryMs: 500 },
  transfer: {
    version: '1.0',
    maxChannels: 100_000,
    /** Of the file, and of what is in it once inflated. */
    maxImportBytes: 1024 * 1024 * 1024,
    /** Inflated bytes for each one of the file, once more than `ratioFromBytes` came out of all its entries: chats in writing have some ten. */
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
    /** JSON values in all, also of what is passed over: for each byte of the file, once there are more than `valuesFrom`. */
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
  pdf: {
    marginMm: 10,
    imageScale: 2,
    imageWidthPx: 800,
    /** On the server: of one document, in UTF-16 units of text. */
    maxServerLength: 4_000_000,
    maxServerMessages: 5_000,
    serverTimeoutMs: 60_000,
    /** One export takes at most this share of the memory that the process may use, and never more than the maximum. */
    serverMemoryShare: 0.4,
    maxServerMemoryMb: 768,
    /** At a time on one node; as many again as `serverWaiting` wait for their turn. */
    serverThreads: 1,
    serverWaiting: 8,
    /** Drawn and waiting together, of one person. */
    serverPerPerson: 2,
    exportsPerMinute: 20,
  },
  credits: {
    leastDollarsToSend: 1,
    /** By one command: more is a slip of the finger. */
    mostDollarsGranted: 100_000,
    historyPage: 50,
    maxHistoryPage: 200,
    spendingDays: 30,
    maxSpendingDays: 366,
    /** Of one answer: more is asked for by Continue. Its price is held, so that nothing is written that is not paid for. */
    mostOutputTokens: 16_384,
    /** Where the credits do not even pay for that many, no model is asked. */
    leastOutputTokens: 256,
    /** Held for an answer whose price nobody knows before. */
    unpricedHoldDollars: 1,
    /** An answer that is likely to cost that much is announced before it is sent. */
    expensiveDollars: 0.05,
    /** How long a question waits at most for the balance of whoever asks, and then until it is known whether its model costs anything. */
    balanceMs: 10_000,
    shortageMs: 3_000,
    /** How long an answer is likely to be, for the announcement. */
    likelyOutputTokens: 700,
    /** Granted at sign-up where nothing is sold. */
    signupDollars: 5,
    /** Longer subscriptions were bought for a year. */
    longestMonthDays: 31,
    /** A hold that nobody extends ends after it; whoever writes an answer extends its hold with each heartbeat. */
    holdMs: 60_000,
    sweepEveryMs: 15_000,
    /** Holds that are swept at once. */
    sweepBatch: 100,
    /**
     * A gateway that reported no cost of an answer is asked for it so long after its end, then after four times as long and so on. After the last of the
     * tries the server's own estimate is charged.
     */
    askCostMs: 1_000,
    askCostTimeoutMs: 4_000,
    askCostTries: 5,
    /** An open hold that is older is an error of the sweeper. */
    oldestHoldMs: 20 * 60_000,
    /** What is younger is checked once more: longer than any transaction takes, and than the clocks of the nodes differ. */
    checkAgainMs: 15 * 60_000,
  },
  payments: {
    minDollars: 1,
    maxDollars: 10_000,
    /** From the start of a payment to its end without money. */
    pixMinutes: 30,
    cardHours: 24,
    tokenMinutes: 15,
    /** Blocks on a transfer of the token, its own among them, before its credits are granted. */
    confirmations: 10,
    /** By how much the clocks of the chain and of the server may differ. */
    chainClockMs: 60_000,
    providerMs: 15_000,
    /** Whoever starts a payment at its provider renews the claim to it, which ends so long after a node that has died. */
    startMs: 4_000,
    /** How often, and how long, the same call looks meanwhile whether the payment is started. */
    startLookMs: 200,
    startWaitMs: 30_000,
    /** A provider that is busy with the same call, or has an outage, is asked again after these pauses. */
    startPausesMs: [250, 750, 1_500],
    /** A Pix payment's provider is asked once in so long, however often it is checked. */
    checkEveryMs: 3_000,
    /** By how much the clock of a provider may be ahead of the server's. */
    providerClockMs: 5 * 60_000,
    createsPerMinute: 20,
    checksPerMinute: 60,
    /** Open payments of one person: more would take the server's turns to look away from everybody else's. */
    mostOpen: 20,
    /** A provider sends many at once after an outage. */
    webhooksPerMinute: 600,
    /** How often the server itself looks after payments, and how long it leaves one alone after having asked for it. */
    sweepEveryMs: 15_000,
    askAgainMs: 60_000,
    /** A payment that is open so long after its end, and that no server has asked for since, is of a method that none has any more. */
    unattendedMs: 3_600_000,
    sweepBatch: 20,
    listed: 200,
    /** The mail of a payment that could not be sent is tried again after so long, for a day. */
    mailAgainMs: 5 * 60_000,
    mailForMs: 86_400_000,
    /** What was notified is remembered so long. */
    inboxDays: 90,
    /** Providers send again for four days what was not taken; what is older was kept by somebody. */
    lateNoticeDays: 5,
    /** What providers and the chain say of the last days is compared with the ledger, once in so long for all nodes together. */
    reconcileEveryMs: 3_600_000,
    /** How often a node looks whether it is time. */
    reconcileLookMs: 60_000,
    reconcileDays: 3,
    /** After so long without success it is an alarm. */
    reconcileOverdueMs: 2 * 3_600_000,
    /** What is younger is still on its way. */
    reconcileAfterMs: 10 * 60_000,
  },
  broadcast: { maxLength: 1_000 },
  /** Of the pages that open without the app. */
  site: {
    /** Between the landing page and the section that a link of another page asked for. */
    scrollDelayMs: 500,
    /** A page that does not exist leads to the start after this, unless somebody does something on it. */
    leaveUnknownMs: 15_000,
    /** So often a page asks whether the maintenance is over. */
    maintenanceAskMs: 5_000,
    /** How long the server remembers the language that somebody chose. */
    languageDays: 365,
  },
  admin: { usersPage: 50 },
  http: {
    bodyBytes: 1024 * 1024,
    requestsPerMinute: 300,
    ticketsPerMinute: 60,
    /** Longer than that a request's body may not take to arrive, or where a route takes large ones: a slow line needs that long. */
    bodyMs: 30_000,
    largeBodyMs: 5 * 60_000,
    /** Beyond these the process refuses requests, until it has caught up. */
    maxEventLoopDelayMs: 2_000,
    maxHeapShare: 0.92,
    shedRetrySeconds: 5,
    maintenanceRetrySeconds: 60,
    peoplePerAddress: 20,
  },
} as const

import { agents } from './server-agents'
import { embeddings, sources } from './server-sources'

/** The business numbers of the server alone, grouped by subject, with the unit in their names. */
export const serverLimits = {
  chat: {
    /** What is to be summarised of a chat of a device: as much as a frame of a question has. */
    summaryBodyBytes: 512 * 1024,
    resumeWindowMs: 10 * 60_000,
    ticketSeconds: 30,
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
    maxFrameValues: 5_000,
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
    /**
     * An answer over plain HTTP shows that it lives while the model is silent: what stands between ends silent
     * connections after a minute.
     */
    streamCommentMs: 15_000,
    /**
     * What is kept of an answer that is over (its state and what it took, no text) so long: until then its question can
     * be repeated without another answer.
     */
    keepGenerationsDays: 90,
    heartbeatMs: 5_000,
    leaseMs: 15_000,
    reapEveryMs: 3_000,
    drainMs: 25_000,
    /** Of the drain, kept for marking what is cut off and telling its readers. */
    closingMs: 3_000,
  },
  /** What is read of a cloud channel for a question, whatever the model's window. */
  context: {
    maxBytes: 1024 * 1024,
    maxExchanges: 1_000,
    /** Exchanges that are read first; each further page is twice as long. */
    pageLength: 50,
    maxPinned: 100,
    /** How often a gateway that finds a prompt too long gets half as much of the conversation. */
    maxShortenings: 3,
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
  /**
   * Paid answers an hour of people who are charged nothing because they sign in with a wallet: a key pair costs
   * nothing.
   */
  fairUse: {
    windowMs: 3_600_000,
    perWallet: 30,
    perAddress: 60,
    total: 1_000,
  },
  auth: {
    accessTokenSeconds: 900,
    refreshTokenDays: 30,
    /**
     * Within it the token before the newest one is answered with the same child: two tabs, or an answer that was lost.
     */
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
  },
  cloud: {
    /** Of one import call: a batch of long answers. */
    importBodyBytes: 16 * 1024 * 1024,
    /** Of one page of a whole channel, at least one exchange. */
    treePageBytes: 2 * 1024 * 1024,
    searchResults: 50,
    /** Streaming answers are stored this often, or after so much text, whichever comes first. */
    partialSaveMs: 1_000,
    partialSaveLength: 2_000,
  },
  sharing: {
    maxInvitations: 20,
    previewsPerMinute: 30,
    acceptsPerMinute: 20,
    conversationPage: 10,
  },
  agents,
  pdf: {
    /** On the server: of one document, in UTF-16 units of text. */
    maxServerLength: 4_000_000,
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
    /** By one command: more is a slip of the finger. */
    mostDollarsGranted: 100_000,
    /** Where the credits do not even pay for that many, no model is asked. */
    leastOutputTokens: 256,
    /** Held for an answer whose price nobody knows before. */
    unpricedHoldDollars: 1,
    /** Granted at sign-up where nothing is sold. */
    signupDollars: 5,
    /** A hold that nobody extends ends after it; whoever writes an answer extends its hold with each heartbeat. */
    holdMs: 60_000,
    sweepEveryMs: 15_000,
    /** Holds that are swept at once. */
    sweepBatch: 100,
    /**
     * A gateway that reported no cost of an answer is asked for it so long after its end, then after four times as long
     * and so on. After the last of the tries the server's own estimate is charged.
     */
    askCostMs: 1_000,
    askCostTimeoutMs: 4_000,
    askCostTries: 5,
    /** An open hold that is older is an error of the sweeper. */
    oldestHoldMs: 20 * 60_000,
    /**
     * What is younger is checked once more: longer than any transaction takes, and than the clocks of the nodes differ.
     */
    checkAgainMs: 15 * 60_000,
  },
  payments: {
    /** From the start of a payment to its end without money. */
    pixMinutes: 30,
    cardHours: 24,
    tokenMinutes: 15,
    /** Blocks on a transfer of the token, its own among them, before its credits are granted. */
    confirmations: 10,
    /** By how much the clocks of the chain and of the server may differ. */
    chainClockMs: 60_000,
    providerMs: 15_000,
    /**
     * Whoever starts a payment at its provider renews the claim to it, which ends so long after a node that has died.
     */
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
    /**
     * A payment that is open so long after its end, and that no server has asked for since, is of a method that none
     * has any more.
     */
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
    /**
     * What providers and the chain say of the last days is compared with the ledger, once in so long for all nodes
     * together.
     */
    reconcileEveryMs: 3_600_000,
    /** How often a node looks whether it is time. */
    reconcileLookMs: 60_000,
    reconcileDays: 3,
    /** After so long without success it is an alarm. */
    reconcileOverdueMs: 2 * 3_600_000,
    /** What is younger is still on its way. */
    reconcileAfterMs: 10 * 60_000,
  },
  broadcast: {
    maxLength: 1_000,
  },
  /** Of the pages that open without the app. */
  site: {
    /** How long the server remembers the language that somebody chose. */
    languageDays: 365,
  },
  admin: {
    usersPage: 50,
  },
  sources,
  embeddings,
  http: {
    bodyBytes: 1024 * 1024,
    requestsPerMinute: 300,
    ticketsPerMinute: 60,
    /**
     * Longer than that a request's body may not take to arrive, or where a route takes large ones: a slow line needs
     * that long.
     */
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

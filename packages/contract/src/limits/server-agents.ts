/** Part of the server's limits: agents. */
export const agents = {
  /** Of an agent's words beside a shared link. */
  maxLinkDescription: 200,
  perPerson: 200,
  savesPerMinute: 20,
  likesPerMinute: 60,
  imagesPerMinute: 10,
  uploadsPerMinute: 10,
  /** A page of the marketplace shows many at once. */
  facesPerMinute: 1_200,
  /** Of one call of the image model. */
  generatedImages: 4,
  /** Calls of the image model by one person: afterwards faces are drawn. */
  generationsPerDay: 10,
  generateTimeoutMs: 90_000,
  /** Pictures that no agent uses are forgotten after it. */
  unusedPictureMs: 86_400_000,
  maxFaceSeed: 64,
  /** Of the product's own agents: a card shows no more of a role, and a shorter prompt gives no real instruction. */
  maxProductRole: 79,
  minProductPrompt: 600,
  /** Of an agent's knowledge, what goes with a question. */
  knowledgeInContext: 24_000,
  /** Files that belong to no agent yet: so many of one person, and for so long. */
  maxDraftFiles: 40,
  draftFileHours: 24,
  filesPerMinute: 40,
  maxPicturePixels: 40_000_000,
  pictureSize: 512,
} as const

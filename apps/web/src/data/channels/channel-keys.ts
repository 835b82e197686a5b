export const channelKeys = {
  list: ['channels', 'local'] as const,
  cloud: ['channels', 'cloud'] as const,
  /** Members of channels, and their invitations. */
  members: ['members'] as const,
  membersOf: (channelId: string) => ['members', 'people', channelId] as const,
  invitationsOf: (channelId: string) => ['members', 'links', channelId] as const,
  /** Read receipts of a channel. */
  readersIn: (channelId: string) => ['readers', channelId] as const,
  readersOf: (channelId: string, mId: string) => ['readers', channelId, mId] as const,
  search: ['search', 'cloud'] as const,
  outline: (channelId: string) => ['outline', channelId] as const,
  queue: (channelId: string) => ['queue', channelId] as const,
  messages: (channelId: string) => ['messages', channelId] as const,
  messagesAround: (channelId: string, page: string) => ['messages', channelId, 'around', page] as const,
  /** The cloud's messages of a channel that is on this device as well. */
  cloudCopy: (channelId: string) => ['cloud-copy', channelId] as const,
  sources: (channelId: string) => ['sources', channelId] as const,
  moveDirection: (channelId: string) => ['move-direction', channelId] as const,
  summaries: (channelId: string) => ['summaries', channelId] as const,
  /** How long what stands before the loaded messages is. */
  sizesOf: (channelId: string) => ['context-sizes', channelId] as const,
  sizesBefore: (channelId: string, mId: string) => ['context-sizes', channelId, mId] as const,
  cost: (channelId: string) => ['chat-cost', channelId] as const,
  /** The page around a message: it is not refetched with the messages. */
  messagePlace: (channelId: string, mId: string) => ['message-page', channelId, mId] as const,
}

export const channelKeys = {
  list: ['channels', 'local'] as const,
  cloud: ['channels', 'cloud'] as const,
  /** Who is in which channel, and by which links others come in. */
  members: ['members'] as const,
  membersOf: (channelId: string) => ['members', 'people', channelId] as const,
  invitationsOf: (channelId: string) => ['members', 'links', channelId] as const,
  /** Who has read which message of a channel. */
  readersIn: (channelId: string) => ['readers', channelId] as const,
  readersOf: (channelId: string, mId: string) => ['readers', channelId, mId] as const,
  search: ['search', 'cloud'] as const,
  messages: (channelId: string) => ['messages', channelId] as const,
  messagesAround: (channelId: string, place: string) => ['messages', channelId, 'around', place] as const,
  /** What the cloud has of a channel that stands on this device as well. */
  cloudCopy: (channelId: string) => ['cloud-copy', channelId] as const,
  moveDirection: (channelId: string) => ['move-direction', channelId] as const,
  /** Found once: it is not read again with the messages. */
  messagePlace: (channelId: string, mId: string) => ['message-place', channelId, mId] as const,
}

export const channelKeys = {
  list: ['channels', 'local'] as const,
  cloud: ['channels', 'cloud'] as const,
  /** Who is in which channel, and by which links others come in. */
  members: ['members'] as const,
  membersOf: (channelId: string) => ['members', 'people', channelId] as const,
  invitationsOf: (channelId: string) => ['members', 'links', channelId] as const,
  search: ['search', 'cloud'] as const,
  messages: (channelId: string) => ['messages', channelId] as const,
}

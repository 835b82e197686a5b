export const channelKeys = {
  list: ['channels', 'local'] as const,
  cloud: ['channels', 'cloud'] as const,
  messages: (channelId: string) => ['messages', channelId] as const,
}

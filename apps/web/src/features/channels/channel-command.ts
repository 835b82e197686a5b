import type { Channel, StorageMode } from '@parley/contract/channels'
import type { TFunction } from 'i18next'
import type { LucideIcon } from 'lucide-react'

export type CommandContext = {
  t: TFunction
  language: string
  selectedId: () => string | undefined
  select: (channelId: string | undefined) => void
  /** Where the person keeps their chats: the home that a change of a cloud channel is made in. */
  mode: StorageMode
}

/** What can be done with a channel: by the row's menu, its keys, the top bar and the palette alike. */
export type ChannelCommand = {
  id: 'export' | 'rename' | 'invite' | 'lock' | 'move' | 'clear' | 'leave' | 'delete'
  icon: (channel: Channel) => LucideIcon
  /** In menus of a row. */
  label: (channel: Channel, t: TFunction) => string
  /** In the top bar's tools, which are shorter. */
  toolLabel: (channel: Channel, t: TFunction) => string
  tone?: 'danger'
  /** An anonymous person is asked to sign in instead. */
  needsLogin?: boolean
  /** Whether this channel has it; all have it unless said. */
  isFor?: (channel: Channel) => boolean
  /** While a row of the sidebar has the focus. */
  key?: string
  run: (channel: Channel, context: CommandContext) => Promise<void>
}

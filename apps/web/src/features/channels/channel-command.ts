import type { Channel, StorageMode } from '@parley/contract/channels'
import type { LucideIcon } from 'lucide-react'
import type { Translate } from '../../i18n/interface-language'

export type CommandContext = {
  t: Translate
  language: string
  selectedId: () => string | undefined
  select: (channelId: string | undefined) => void
  /** The person's storage mode: the home in which a change of a cloud channel is made. */
  mode: StorageMode
}

/** A command for a channel, as the row's menu, its shortcuts, the top bar and the palette show it. */
export type ChannelCommand = {
  id: 'keep' | 'export' | 'rename' | 'invite' | 'lock' | 'move' | 'clear' | 'leave' | 'delete'
  icon: (channel: Channel) => LucideIcon
  /** The label in a row's menu. */
  label: (channel: Channel, t: Translate) => string
  /** The shorter label in the top bar's tools. */
  toolLabel: (channel: Channel, t: Translate) => string
  tone?: 'danger'
  /** The sign-in panel opens instead for an anonymous person. */
  needsLogin?: boolean
  /** Whether the command applies to this channel; to all by default. */
  isFor?: (channel: Channel) => boolean
  /** The shortcut while a row of the sidebar has the focus. */
  key?: string
  run: (channel: Channel, context: CommandContext) => Promise<void>
}

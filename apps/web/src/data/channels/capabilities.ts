// What can be done with a channel: screens ask this, never which home it has.
import { type Channel, isGuest, isShared } from '@parley/contract/channels'

const isOfTab = ({ source }: Pick<Channel, 'source'>): boolean => source === 'memory'

/** It is gone with its tab, and can be moved into the vault. */
export const canKeep = isOfTab

/** It can be protected from deletion: only the operator locks cloud channels, and nothing protects a tab. */
export const canLock = (channel: Channel): boolean => channel.isLocalChannel && !isOfTab(channel)

/** It can be moved between this device and the cloud. */
export const canMove = (channel: Channel): boolean => !channel.isLocked && !isGuest(channel) && !isOfTab(channel)

/** Others can be invited, in the cloud or after a move there. */
export const canShare = (channel: Channel): boolean => !isGuest(channel) && !isOfTab(channel)

/** Others can be invited where it is, without a move. */
export const canInvite = (channel: Channel): boolean => canShare(channel) && !channel.isLocalChannel

/** Who has received and read its messages is told. */
export const hasReceipts = (channel: Channel): boolean => !channel.isLocalChannel && isShared(channel)

/** Answers in it may be streamed to other devices or people, and be followed here. */
export const canFollow = (channel: Channel): boolean => !channel.isLocalChannel

/** Sources can be added to it, switched, cancelled and removed; whoever else is in it sees them, and asks with them. */
export const canChangeSources = (channel: Channel): boolean => !isGuest(channel)

/** It takes copies of messages of other chats. */
export const canTakeForwards = (channel: Channel): boolean => channel.role !== 'read' && !isOfTab(channel)

import type { Message } from '@parley/contract/chat'
import { create } from 'zustand'

export type VersionPart = 'question' | 'answer'
/** What has the focus when other messages take the place of those on screen. */
export type VersionFocus = 'previous' | 'next' | 'message'

/** A change of the path that was asked for, until the list shows it. */
export type VersionVisit = {
  channelId: string
  /** The message that is in its place then. */
  mId: string
  part: VersionPart
  focus: VersionFocus
  /** Where its control stands, from the top of the window; undefined where the list scrolls as for a new question. */
  top?: number
  isShownIn: (messages: readonly Message[]) => boolean
  /** Neither what was there nor what takes its place is among the loaded messages. */
  isMissingIn?: (messages: readonly Message[]) => boolean
}

const useStore = create<{ visit: VersionVisit | undefined }>(() => ({ visit: undefined }))

export const useVersionVisit = (): VersionVisit | undefined => useStore(({ visit }) => visit)

export const versionVisit = {
  begin: (visit: VersionVisit): void => useStore.setState({ visit }),
  /** Another one that has begun since goes on. */
  end: (visit: VersionVisit): void => {
    if (useStore.getState().visit === visit) useStore.setState({ visit: undefined })
  },
}

/** A run of this message takes the place of the one that stands, and the message keeps the focus. */
export function awaitRun({ channelId, mId, run }: Message): void {
  versionVisit.begin({
    ...{ channelId, mId, part: 'answer', focus: 'message' },
    isShownIn: (messages) => messages.some((each) => each.mId === mId && each.run?.messageId !== run?.messageId),
  })
}

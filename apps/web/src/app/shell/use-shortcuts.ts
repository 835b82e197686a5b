import { useEffect, useLayoutEffect, useRef } from 'react'
import { useChannels } from '../../data/channels/use-channels'
import { useSelectChannel, useSelectedChannelId } from '../../lib/selected-channel'
import { focusComposer } from './focus-composer'
import { closeOverlay, openOverlay, useOverlay } from './overlay-state'
import { useNewChat, useNewTemporaryChat } from './use-new-chat'

/** The keys that work on every screen. */
export function useShortcuts(): void {
  const { channels } = useChannels()
  const selectedId = useSelectedChannelId()
  const select = useSelectChannel()
  const newChat = useNewChat()
  const newTemporaryChat = useNewTemporaryChat()

  function selectNeighbour(step: 1 | -1): void {
    const at = channels.findIndex((channel) => channel.id === selectedId)
    // From the home screen, down is the newest chat and up the oldest.
    const next = at < 0 ? channels.at(step === 1 ? 0 : -1) : channels[at + step]
    if (next) select(next.id)
  }

  /** Whether the key was one of ours. */
  function run(event: KeyboardEvent): boolean {
    const mod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (mod && event.key.toLowerCase() === 'k') {
      if (useOverlay.getState().overlay === 'palette') closeOverlay()
      else if (!isModalOpen()) openOverlay('palette')
      return true
    }
    if (isModalOpen()) return false
    if (mod && event.key.toLowerCase() === 'j') {
      newChat()
      return true
    }
    if ((event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && isQuote(event)) {
      newTemporaryChat()
      return true
    }
    if (
      event.altKey &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.shiftKey &&
      (event.key === 'ArrowUp' || event.key === 'ArrowDown')
    ) {
      selectNeighbour(event.key === 'ArrowDown' ? 1 : -1)
      return true
    }
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === '/') focusComposer()
    else if (event.key === '?') openOverlay('shortcuts')
    else return false
    return true
  }

  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  // With the screen: a key that is pressed as soon as it is seen must not come before who listens to it.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      if (latest.current(event)) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The key of the quote, wherever the layout has it, or the one in its place on most keyboards. */
const isQuote = ({ key, code }: KeyboardEvent): boolean => key === "'" || key === '"' || code === 'Quote'

const isModalOpen = (): boolean => document.querySelector('dialog[open]') !== null

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

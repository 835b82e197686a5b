import '../../i18n/later-texts'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { backwardKey, forwardKey } from '../../lib/direction'
import { AgentFace } from '../../ui/agent-face'
import styles from './avatars.module.css'
import type { Avatar } from './use-avatars'

type Props = { avatars: readonly Avatar[]; chosen: string; onChoose: (url: string) => void }

/** A radio grid of pictures. Arrow keys move through the grid as it is laid out, Home and End to its ends. */
export function AvatarGrid({ avatars, chosen, onChoose }: Props) {
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)
  const focusable = avatars.some(({ url }) => url === chosen) ? chosen : avatars[0]?.url

  function onKeyDown(event: KeyboardEvent) {
    const options = [...(grid.current?.querySelectorAll<HTMLElement>('[role=radio]') ?? [])]
    const at = document.activeElement instanceof HTMLElement ? options.indexOf(document.activeElement) : -1
    const row = columnsOf(options)
    const target = {
      [forwardKey()]: at + 1,
      [backwardKey()]: at - 1,
      ArrowDown: at + row,
      ArrowUp: at - row,
      Home: 0,
      End: options.length - 1,
    }[event.key]
    if (target === undefined || at < 0) return
    event.preventDefault()
    const next = avatars[target]
    if (!next) return
    onChoose(next.url)
    options[target]?.focus()
  }

  function labelOf({ kind }: Avatar, index: number): string {
    if (kind === 'own') return t('agentEditor.avatars.own')
    if (kind === 'current') return t('agentEditor.avatars.current')
    return t('agentEditor.avatars.option', {
      number: index + 1 - avatars.filter((other) => other.kind !== 'made').length,
    })
  }

  return (
    <div
      ref={grid}
      className={styles.grid}
      role="radiogroup"
      aria-label={t('agentEditor.avatars.grid')}
      onKeyDown={onKeyDown}
    >
      {avatars.map((avatar, index) => (
        // biome-ignore lint/a11y/useSemanticElements: arrows of a native group go in one line, here they follow the grid
        <button
          key={avatar.url}
          type="button"
          role="radio"
          aria-checked={avatar.url === chosen}
          aria-label={labelOf(avatar, index)}
          tabIndex={avatar.url === focusable ? 0 : -1}
          className={styles.option}
          onClick={() => onChoose(avatar.url)}
        >
          <AgentFace src={avatar.url} size={72} />
        </button>
      ))}
    </div>
  )
}

/** The number of pictures in the first row. */
function columnsOf(options: readonly HTMLElement[]): number {
  const top = options[0]?.offsetTop
  const next = options.findIndex((option) => option.offsetTop !== top)
  return next === -1 ? options.length : next
}

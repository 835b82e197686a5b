import '../../i18n/later-texts'
import { type Channel, searchChannels } from '@parley/contract/channels'
import { Keyboard, type LucideIcon, MessageCircleDashed, MessageSquare, Sparkles, SquarePen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useChannel, useChannels } from '../../data/channels/use-channels'
import { ChannelBadge } from '../../features/channels/channel-badge'
import { channelCommands } from '../../features/channels/channel-commands'
import { useRunCommand } from '../../features/channels/use-channel-commands'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel, useSelectedChannelId } from '../../lib/selected-channel'
import { Dialog } from '../../ui/dialog'
import styles from './command-palette.module.css'
import { openOverlay } from './overlay-state'
import { useNewChat, useNewTemporaryChat } from './use-new-chat'
import { useOpenAgents } from './use-open-agents'

type Entry = { id: string; label: string; icon: LucideIcon; channel?: Channel; run: () => void }

/** More results than anyone reads: typing another letter is quicker. */
const maxChannels = 50

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const actions = useActions(query)
  const channels = useChannelEntries(query)
  const entries = [...actions, ...channels]
  const current = entries[Math.min(active, entries.length - 1)]

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another entry is the current one
  useEffect(() => {
    void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])

  function run(entry: Entry | undefined) {
    if (!entry) return
    onClose()
    // After the dialog has given the focus back, so that the action may take it.
    setTimeout(entry.run)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const last = entries.length - 1
    const target = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      Home: 0,
      End: last,
    }[event.key]
    if (target !== undefined) setActive(target)
    else if (event.key === 'Enter') run(current)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={t('shell.palette')} onClose={onClose} size="medium">
      <input
        autoFocus
        className={styles.input}
        role="combobox"
        aria-label={t('shell.palettePlaceholder')}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t('shell.palettePlaceholder')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label={t('shell.palette')} className={styles.list}>
        <Group label={t('shell.paletteActions')} entries={actions} current={current} listId={listId} run={run} />
        <Group label={t('shell.chats')} entries={channels} current={current} listId={listId} run={run} />
      </div>
      {entries.length === 0 && (
        <p className={styles.empty} role="status">
          {t('shell.paletteEmpty')}
        </p>
      )}
    </Dialog>
  )
}

type GroupProps = {
  label: string
  entries: Entry[]
  current: Entry | undefined
  listId: string
  run: (entry: Entry) => void
}

function Group({ label, entries, current, listId, run }: GroupProps) {
  if (entries.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
    <div role="group" aria-label={label}>
      <div className={styles.group} aria-hidden="true">
        {label}
      </div>
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
        <div
          key={entry.id}
          id={`${listId}-${entry.id}`}
          role="option"
          aria-selected={entry === current}
          className={styles.option}
          onClick={() => run(entry)}
        >
          <entry.icon aria-hidden="true" />
          <span className={styles.label}>{entry.label}</span>
          {entry.channel && <ChannelBadge channel={entry.channel} />}
        </div>
      ))}
    </div>
  )
}

function useActions(query: string): Entry[] {
  const { t } = useTranslation()
  const newChat = useNewChat()
  const newTemporaryChat = useNewTemporaryChat()
  const openAgents = useOpenAgents()
  const runCommand = useRunCommand()
  const channel = useChannel(useSelectedChannelId())
  const all: Entry[] = [
    { id: 'new-chat', label: t('shell.newChat'), icon: SquarePen, run: newChat },
    { id: 'new-temporary', label: t('temporary.new'), icon: MessageCircleDashed, run: newTemporaryChat },
    { id: 'agents', label: t('shell.agents'), icon: Sparkles, run: openAgents },
    ...(channel
      ? channelCommands
          .filter(({ isFor }) => isFor?.(channel) ?? true)
          .map((command) => ({
            id: command.id,
            label: command.label(channel, t),
            icon: command.icon(channel),
            run: () => runCommand(command, channel),
          }))
      : []),
    { id: 'shortcuts', label: t('shell.shortcuts'), icon: Keyboard, run: () => openOverlay('shortcuts') },
  ]
  const wanted = query.trim().toLowerCase()
  return all.filter((entry) => entry.label.toLowerCase().includes(wanted))
}

function useChannelEntries(query: string): Entry[] {
  const { channels } = useChannels()
  const select = useSelectChannel()
  return searchChannels(channels, query)
    .slice(0, maxChannels)
    .map((channel) => ({
      id: channel.id,
      label: channel.channelName,
      icon: MessageSquare,
      channel,
      run: () => select(channel.id),
    }))
}

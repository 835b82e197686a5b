import '../../i18n/later-texts'
import { agentTexts } from '@parley/contract/agents'
import { product } from '@parley/contract/product'
import { Check, Star } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { toggleFavoriteAgent, useAgentHabits } from '../../data/agents/agent-habits'
import type { ChosenAgent } from '../../data/agents/chosen-agent'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Avatar } from '../../ui/avatar'
import { IconButton } from '../../ui/button'
import styles from './agent-picker.module.css'
import type { PickerEntry } from './picker-entries'

type Props = {
  gridId: string
  entries: readonly PickerEntry[]
  activeId: string | undefined
  /** Undefined for the general assistant. */
  currentId: string | undefined
  onChoose: (agent: ChosenAgent | undefined) => void
}

/** The rows of the picker. The focus stays in the search; Enter chooses the active row. */
export function AgentRows({ gridId, entries, activeId, currentId, onChoose }: Props) {
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const area = grid.current
    const row = area?.querySelector('[data-active]')
    // Scrolls the heading above the first row into view as well.
    if (row?.previousElementSibling === area?.firstElementChild) area?.scrollTo({ top: 0 })
    else row?.scrollIntoView({ block: 'nearest' })
  })

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as cards
    <div
      ref={grid}
      role="grid"
      id={gridId}
      aria-label={t('agentPicker.title')}
      aria-rowcount={entries.length}
      className={styles.grid}
    >
      {entries.map((entry, index) =>
        entry.kind === 'heading' ? (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div key={entry.id} role="row" aria-rowindex={index + 1} className={styles.heading}>
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <span role="rowheader">{t(`agentPicker.${entry.section}`, { product: product.name })}</span>
          </div>
        ) : (
          <AgentRow
            key={entry.id}
            rowId={`${gridId}-${entry.id}`}
            index={index}
            agent={entry.agent}
            isActive={entry.id === activeId}
            isCurrent={entry.agent?._id === currentId}
            onChoose={() => onChoose(entry.agent)}
          />
        ),
      )}
    </div>
  )
}

type RowProps = {
  rowId: string
  index: number
  agent: ChosenAgent | undefined
  isActive: boolean
  isCurrent: boolean
  onChoose: () => void
}

function AgentRow({ rowId, index, agent, isActive, isCurrent, onChoose }: RowProps) {
  const { t, language } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be laid out as cards
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
    <div
      role="row"
      id={rowId}
      aria-rowindex={index + 1}
      aria-selected={isCurrent}
      data-active={isActive || undefined}
      className={styles.row}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="gridcell" className={styles.face} onClick={onChoose}>
        {agent ? <AgentFace src={agent.profileImage} size={40} /> : <Avatar seed="parley" name="" size={40} />}
        <span className={styles.words}>
          <span className={styles.name}>
            <b dir="auto">{agent?.name ?? t('chat.agent')}</b>
            {isCurrent && <Check className={styles.check} aria-hidden="true" />}
          </span>
          <span className={styles.line} dir="auto">
            {agent ? agentTexts(agent, language).role : t('agentPicker.generalRole')}
          </span>
        </span>
        {agent && agent.source !== 'product' && agent.userName && (
          <span className={styles.by} dir="auto">
            {t('agentPicker.by', { name: agent.userName })}
          </span>
        )}
      </div>
      {agent && <Favorite agent={agent} isActive={isActive} />}
    </div>
  )
}

function Favorite({ agent, isActive }: { agent: ChosenAgent; isActive: boolean }) {
  const { t } = useTranslation()
  const isFavorite = useAgentHabits().favorites.includes(agent._id)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div role="gridcell">
      <IconButton
        label={t(isFavorite ? 'agentPicker.removeFavorite' : 'agentPicker.addFavorite', { name: agent.name })}
        icon={Star}
        pressed={isFavorite}
        className={styles.star}
        tabIndex={isActive ? 0 : -1}
        onClick={() => toggleFavoriteAgent(agent)}
      />
    </div>
  )
}

import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { backwardKey, forwardKey } from '../lib/direction'
import styles from './tabs.module.css'

type Props<T extends string> = {
  label: string
  tabs: readonly {
    id: T
    label: string /** How many there are in it, as it is written. */
    count?: string | undefined
  }[]
  selected: T
  onSelect: (id: T) => void /** At the end of the line of tabs. */
  aside?: ReactNode
  children: ReactNode
}

/** A tab list with its panel. Arrows, Home and End move and select. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, aside, children }: Props<T>) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === selected)
    const target = { [forwardKey()]: (at + 1) % tabs.length, [backwardKey()]: at - 1, Home: 0, End: -1 }[event.key]
    const next = target === undefined ? undefined : tabs.at(target)
    if (!next) return
    event.preventDefault()
    onSelect(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  const list = (
    <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={`${id}-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={`${id}-panel`}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <small>{tab.count}</small>}
        </button>
      ))}
    </div>
  )
  return (
    <>
      {aside ? (
        <div className={styles.line}>
          {list}
          {aside}
        </div>
      ) : (
        list
      )}
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  )
}

import type { ReactNode } from 'react'
import styles from './specimen.module.css'

/** States that a pointer or keyboard would have to cause, drawn by forced-states.ts. */
export type ShownState = 'hover' | 'focus' | 'active'

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

export function Row({ fill = false, children }: { fill?: boolean; children: ReactNode }) {
  return (
    <div className={styles.row} data-fill={fill || undefined}>
      {children}
    </div>
  )
}

export function Specimen({
  name,
  show,
  wide = false,
  children,
}: {
  name: string
  show?: ShownState
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.specimen} data-show={show} data-wide={wide || undefined}>
      {children}
      <span className={styles.name}>{name}</span>
    </div>
  )
}

type StateTableProps<Kind extends string> = {
  kinds: readonly Kind[]
  children: (kind: Kind, more: { disabled?: boolean; busy?: boolean }) => ReactNode
}

const columns = [
  { name: 'rest', more: {} },
  { name: 'hover', show: 'hover', more: {} },
  { name: 'focus', show: 'focus', more: {} },
  { name: 'active', show: 'active', more: {} },
  { name: 'disabled', more: { disabled: true } },
  { name: 'busy', more: { busy: true } },
] as const

/** A kind of control in each line, its states side by side. */
export function StateTable<Kind extends string>({ kinds, children }: StateTableProps<Kind>) {
  return (
    <div className={styles.scroll}>
      <table className={styles.states}>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              {columns.map((column) => (
                <td key={column.name} data-show={'show' in column ? column.show : undefined}>
                  {children(kind, column.more)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import { type ReactNode, useId } from 'react'
import { Card } from './card'
import styles from './list-card.module.css'

type Props = {
  title: string
  text?: string
  /** The list or table, which the title names; it reaches the card's edges. */
  children: (titleId: string) => ReactNode
}

/** A card with a heading above a list. */
export function ListCard({ title, text, children }: Props) {
  const id = useId()
  return (
    <Card role="group" aria-labelledby={id} className={styles.card}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      {children(id)}
    </Card>
  )
}

/** What such a card shows instead of its list: why there is none. */
export function ListCardBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>
}

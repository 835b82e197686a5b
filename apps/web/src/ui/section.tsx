import { type ReactNode, useId } from 'react'
import { Card } from './card'
import styles from './section.module.css'

/** One subject of a settings tab: a card with its heading. */
export function Section({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  const id = useId()
  return (
    <Card role="group" aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      {children}
    </Card>
  )
}

/** A row of a section: what it is about on the left, its one control on the right. */
export function SectionRow({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
    </div>
  )
}

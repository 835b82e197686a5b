import type { Model } from '@parley/contract/models'
import { Box, Waypoints } from 'lucide-react'
import { familyOf, markOf } from './families'
import styles from './models.module.css'

/** Our own sign of a model's family: its letters. No maker's logo is ours to draw. */
export function FamilyMark({ model }: { model: Model }) {
  const family = familyOf(model)
  const Icon = family === 'Router' ? Waypoints : Box
  return (
    <span className={styles.mark} data-family={family} title={family} aria-hidden="true">
      {markOf(family) ?? <Icon />}
    </span>
  )
}

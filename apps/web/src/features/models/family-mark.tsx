import type { Model } from '@parley/contract/models'
import { Box, Waypoints } from 'lucide-react'
import { familyOf, markOf } from './families'
import styles from './models.module.css'

/** The icon of a model family: its letters, because we may not use the makers' logos. */
export function FamilyMark({ model }: { model: Model }) {
  const family = familyOf(model)
  const Icon = family === 'Router' ? Waypoints : Box
  return (
    <span className={styles.mark} data-family={family} title={family} aria-hidden="true">
      {markOf(family) ?? <Icon />}
    </span>
  )
}

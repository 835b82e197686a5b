import { useState } from 'react'

/** True from the render that prepended items until the next change of the list. */
export function useGrewAtStart(firstId: string | undefined, count: number): boolean {
  const [known, setKnown] = useState({ firstId, count, grew: false })
  if (known.firstId !== firstId || known.count !== count) {
    const next = { firstId, count, grew: known.firstId !== undefined && known.firstId !== firstId }
    setKnown(next)
    return next.grew
  }
  return known.grew
}

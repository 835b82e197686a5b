import { type ReactNode, Suspense } from 'react'
import { useScreen } from './router'

/** The screen of the page, or what it shows over itself; `coming` while its code is loaded. */
export function Outlet({ of = 'screen', coming = null }: { of?: 'screen' | 'over'; coming?: ReactNode }) {
  const { component: Screen, isComing } = useScreen(of)
  if (!Screen) return isComing ? coming : null
  return (
    <Suspense fallback={coming}>
      <Screen />
    </Suspense>
  )
}

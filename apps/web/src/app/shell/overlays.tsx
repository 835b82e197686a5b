import { lazy, Suspense } from 'react'
import { closeOverlay, useOverlay } from './overlay-state'

const CommandPalette = lazy(() => import('./command-palette'))
const LogOutDialog = lazy(() => import('../../features/settings/log-out-dialog'))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog'))

/** What keys open over any screen, loaded when first asked for. */
export function Overlays() {
  const overlay = useOverlay((state) => state.overlay)
  return (
    <Suspense>
      {overlay === 'palette' && <CommandPalette onClose={closeOverlay} />}
      {overlay === 'log-out' && <LogOutDialog onClose={closeOverlay} />}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={closeOverlay} />}
    </Suspense>
  )
}

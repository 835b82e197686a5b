import { Suspense } from 'react'
import { useNoCreditsDialog } from '../../data/session/no-credits-dialog'
import { lazyPart } from '../../ui/lazy-part'
import { closeOverlay, useOverlay } from './overlay-state'

const CommandPalette = lazyPart(() => import('./command-palette'))
const LogOutDialog = lazyPart(() => import('../../features/settings/log-out-dialog'))
const NoCreditsDialog = lazyPart(() => import('../../features/credits/no-credits-dialog'))
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog'))

/** What opens over any screen, loaded when first asked for. */
export function Overlays() {
  const overlay = useOverlay((state) => state.overlay)
  const needsCredits = useNoCreditsDialog((state) => state.isOpen)
  return (
    <Suspense>
      {overlay === 'palette' && <CommandPalette onClose={closeOverlay} />}
      {overlay === 'log-out' && <LogOutDialog onClose={closeOverlay} />}
      {needsCredits && <NoCreditsDialog />}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={closeOverlay} />}
    </Suspense>
  )
}

import { Suspense } from 'react'
import { useIsInMaintenance } from '../../data/session/maintenance-state'
import { lazyExtra } from '../../ui/lazy-part'

const MaintenanceNotice = lazyExtra(() => import('./maintenance-notice'))

/**
 * Over everything while the server is worked on. What lies below stays as it is: drafts, dialogs, answers under way.
 */
export function MaintenanceHost() {
  const isOn = useIsInMaintenance()
  return <Suspense>{isOn && <MaintenanceNotice />}</Suspense>
}

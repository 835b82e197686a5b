import type { SiteSlot } from '@parley/contract/site-slots'
import type { ReactNode } from 'react'

/** What the server writes when it starts. */
export const slot = (name: SiteSlot): string => `{{${name}}}`

/** Left out by a server without this value. */
export function IfGiven({ name, children }: { name: SiteSlot; children: ReactNode }) {
  return (
    <>
      {`{{?${name}}}`}
      {children}
      {`{{/${name}}}`}
    </>
  )
}

/** Left out by a server with this value. */
export function IfMissing({ name, children }: { name: SiteSlot; children: ReactNode }) {
  return (
    <>
      {`{{!${name}}}`}
      {children}
      {`{{/${name}}}`}
    </>
  )
}

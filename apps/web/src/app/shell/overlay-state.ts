import { create } from 'zustand'

export type Overlay = 'palette' | 'shortcuts' | 'log-out'

export const useOverlay = create<{ overlay: Overlay | undefined }>(() => ({ overlay: undefined }))

export function openOverlay(overlay: Overlay): void {
  useOverlay.setState({ overlay })
}

export function closeOverlay(): void {
  useOverlay.setState({ overlay: undefined })
}

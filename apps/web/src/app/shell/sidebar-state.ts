import { create } from 'zustand'

const storageKey = 'left-bar-open'

type SidebarState = {
  /** Wide screens: in full, or compact. Kept between visits. */
  isOpen: boolean
  /** Narrow screens: the drawer over the page. */
  isDrawerOpen: boolean
}

export const useSidebar = create<SidebarState>(() => ({ isOpen: readOpen(), isDrawerOpen: false }))

export function setSidebarOpen(isOpen: boolean): void {
  useSidebar.setState({ isOpen })
  try {
    localStorage.setItem(storageKey, String(isOpen))
  } catch {
    // Storage is denied: the choice lasts as long as the page.
  }
}

export function setDrawerOpen(isDrawerOpen: boolean): void {
  useSidebar.setState({ isDrawerOpen })
}

function readOpen(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'false'
  } catch {
    return true
  }
}

import { useState } from 'react'
import { useLocation, useNavigate } from '../../lib/router/router'

export const settingsTabs = ['general', 'security', 'credits', 'support'] as const
export type SettingsTab = (typeof settingsTabs)[number]

const key = 'selectedTab'

/**
 * The tab is named in the URL; a purchase or a returned payment implies the credits tab; otherwise it is the tab of the
 * last visit.
 */
export function useSettingsTab(): [SettingsTab, (tab: SettingsTab) => void] {
  const navigate = useNavigate()
  const search = useLocation((location) => location.search)
  const [last] = useState(storedTab)
  const params = new URLSearchParams(search)
  const named = settingsTabs.find((tab) => tab === params.get('tab'))
  const select = (tab: SettingsTab): void => {
    storeTab(tab)
    params.set('tab', tab)
    void navigate(`/settings?${params}`, { replace: true })
  }
  const isAboutPaying = params.get('success') === 'true' || params.has('pay')
  return [named ?? (isAboutPaying ? 'credits' : last), select]
}

/** Stored as the tab's index. */
function storedTab(): SettingsTab {
  try {
    return settingsTabs[Number.parseInt(localStorage.getItem(key) ?? '0', 10)] ?? 'general'
  } catch {
    // Storage is denied.
    return 'general'
  }
}

function storeTab(tab: SettingsTab): void {
  try {
    localStorage.setItem(key, String(settingsTabs.indexOf(tab)))
  } catch {
    // Storage is denied: the choice lasts as long as the page.
  }
}

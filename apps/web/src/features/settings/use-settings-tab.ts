import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

export const settingsTabs = ['general', 'security', 'credits', 'support'] as const
export type SettingsTab = (typeof settingsTabs)[number]

const key = 'selectedTab'

/** The address names the tab, a payment that came back or is to be made means the credits, and else it is the one of the last visit. */
export function useSettingsTab(): [SettingsTab, (tab: SettingsTab) => void] {
  const { history } = useRouter()
  const search = useLocation({ select: (location) => location.searchStr })
  const [last] = useState(storedTab)
  const params = new URLSearchParams(search)
  const named = settingsTabs.find((tab) => tab === params.get('tab'))
  const select = (tab: SettingsTab): void => {
    storeTab(tab)
    params.set('tab', tab)
    history.replace(`/settings?${params}`)
  }
  const isAboutPaying = params.get('success') === 'true' || params.has('pay')
  return [named ?? (isAboutPaying ? 'credits' : last), select]
}

/** Stored as its place in the row. */
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

import { product } from '@parley/contract/product'
import { useState } from 'react'

/** The localStorage key of the last tab, and the tab ids: their spelling is part of the contract. */
const key = 'assistant-tab'
export const marketplaceTabs = ['top', product.slug, 'commmunity', 'myAssiistants', 'sui'] as const
export type MarketplaceTab = (typeof marketplaceTabs)[number]

function read(): MarketplaceTab {
  try {
    const stored = localStorage.getItem(key)
    return marketplaceTabs.find((tab) => tab === stored) ?? 'top'
  } catch {
    // Storage is denied: every visit starts with the first tab.
    return 'top'
  }
}

export function useMarketplaceTab(): [MarketplaceTab, (tab: MarketplaceTab) => void] {
  const [tab, setTab] = useState(read)
  function select(next: MarketplaceTab): void {
    setTab(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // The choice lasts as long as the page.
    }
  }
  return [tab, select]
}

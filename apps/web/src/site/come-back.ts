/**
 * Leads back to where somebody was, once the server says that the maintenance is over. Without `from` in the address
 * the page was opened by itself, and stays.
 */
export function comeBack(): void {
  const notice = document.querySelector<HTMLElement>('[data-ask]')
  const from = new URLSearchParams(location.search).get('from')
  if (!notice || from === null) return
  const back = new URL(from, location.origin)
  // An address of somebody else's that a link brought along.
  if (back.origin !== location.origin) return
  setInterval(() => {
    if (document.visibilityState === 'hidden') return
    void isOver(notice.dataset.ask ?? '').then((over) => {
      if (over) location.replace(back.href)
    })
  }, Number(notice.dataset.everyMs))
}

async function isOver(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { cache: 'no-store' })
    if (!response.ok) return false
    const config: unknown = await response.json()
    return !(typeof config === 'object' && config !== null && 'maintenance' in config && config.maintenance === true)
  } catch {
    // The server is away, or ends just now.
    return false
  }
}

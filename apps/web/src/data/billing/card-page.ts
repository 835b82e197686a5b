const loopback = ['localhost', '127.0.0.1', '[::1]']
const isStripe = (host: string): boolean => host === 'stripe.com' || host.endsWith('.stripe.com')

/**
 * Whether a page takes cards for this app: Stripe's, or one of this app's own host. On this very machine, where a provider's stand-in may run, plain HTTP is
 * allowed too. Nobody is sent to any other address, whoever wrote it.
 */
export function isCardPage(address: string, own: Pick<Location, 'hostname'> = location): boolean {
  if (!URL.canParse(address)) return false
  const page = new URL(address)
  if (page.username !== '' || page.password !== '') return false
  if (loopback.includes(own.hostname) && loopback.includes(page.hostname)) return page.protocol === 'https:' || page.protocol === 'http:'
  return page.protocol === 'https:' && (isStripe(page.hostname) || page.hostname === own.hostname)
}

/** Leaves for the page where a card payment is paid; false when there is none that can be trusted. */
export function goToCardPage(address: string | undefined): boolean {
  if (address === undefined || !isCardPage(address)) return false
  location.assign(address)
  return true
}

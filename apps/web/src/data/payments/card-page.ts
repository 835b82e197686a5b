const loopback = ['localhost', '127.0.0.1', '[::1]']
const isStripe = (host: string): boolean => host === 'stripe.com' || host.endsWith('.stripe.com')

/**
 * Whether a URL may be trusted as a card payment page: Stripe's, or one of this app's own host. On localhost, where a
 * stand-in of the provider may run, plain HTTP is allowed too. The app never leads anyone to another address, whoever
 * sent it.
 */
export function isCardPage(address: string, own: Pick<Location, 'hostname'> = location): boolean {
  if (!URL.canParse(address)) return false
  const page = new URL(address)
  if (page.username !== '' || page.password !== '') return false
  if (loopback.includes(own.hostname) && loopback.includes(page.hostname))
    return page.protocol === 'https:' || page.protocol === 'http:'
  return page.protocol === 'https:' && (isStripe(page.hostname) || page.hostname === own.hostname)
}

/** Navigates to the page of a card payment; false when the URL cannot be trusted. */
export function goToCardPage(address: string | undefined): boolean {
  if (address === undefined || !isCardPage(address)) return false
  location.assign(address)
  return true
}

import { test as journey, networkNoise } from './journey'
import { UnsteadyNetwork } from './unsteady-network'

/** A person behind a network that breaks: the address that the page has opened is the network's. */
export const test = journey.extend<{ network: UnsteadyNetwork }>({
  allowedNoise: networkNoise,
  network: async ({ standIns }, use) => {
    const network = await standIns.of(UnsteadyNetwork.start)
    await use(network)
    network.comeBack()
  },
  environment: async ({ network }, use) => use({ PUBLIC_URL: network.url }),
  page: async ({ context, server, network }, use) => {
    network.target = server.port
    const page = await context.newPage()
    await page.goto(`${network.url}/app`)
    await use(page)
  },
})

// The gateway of both relays, in a process of its own: every question is answered by so many tokens at such a pace.

import { words } from '../../apps/server/src/testing/gateway-scenarios'
import { startGatewayStandIn } from '../../apps/server/src/testing/gateway-stand-in'

const [tokens = '400', tokensPerSecond = '50'] = process.argv.slice(2)
const standIn = await startGatewayStandIn()
// When a call was broken off, by the clock that all processes of a machine share.
standIn.onAbort = () => process.send?.({ abortedAt: performance.timeOrigin + performance.now() })
standIn.always({ text: words(Number(tokens)), tokensPerSecond: Number(tokensPerSecond) })
process.stdout.write(`listening ${standIn.url}\n`)

import { type StandInCall, startStandIn } from './http-stand-in'

/** What happens to a call: undefined, it is passed on; a status, that is answered in place of the service's answer. */
type Fate = number | undefined
type Fault = (call: StandInCall) => Fate | Promise<Fate>

export interface FaultyProxy {
  readonly url: string
  /** Awaited before a call is passed on; a status means that it never is. */
  before: Fault
  /** Awaited before the service's answer is passed back; a status means that the answer is lost. */
  after: Fault
  /** Removes all faults: calls and answers pass again. */
  mend(): void
  close(): Promise<void>
}

const passed = ['authorization', 'content-type', 'idempotency-key', 'x-idempotency-key']
const nothing: Fault = () => undefined

/** A proxy between the server and an outside service that can delay and lose calls and answers. */
export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const server = await startStandIn(async (call) => {
    const refused = await proxy.before(call)
    if (refused !== undefined) return { status: refused, json: {} }
    const { method, url, body } = call
    const headers = passed.flatMap((name): [string, string][] =>
      call.headers[name] === undefined ? [] : [[name, String(call.headers[name])]],
    )
    const response = await fetch(`${serviceUrl}${url.pathname}${url.search}`, {
      method,
      headers,
      ...(method === 'POST' ? { body } : {}),
    })
    const json: unknown = await response.json()
    const lost = await proxy.after(call)
    return lost === undefined ? { status: response.status, json } : { status: lost, json: {} }
  })
  const proxy: FaultyProxy = {
    url: server.url,
    before: nothing,
    after: nothing,
    mend() {
      proxy.before = nothing
      proxy.after = nothing
    },
    close: server.close,
  }
  return proxy
}

import { type StandInCall, startStandIn } from './http-stand-in'

/** What comes of a call: nothing special, or this status in place of the service's answer. */
type Fate = number | undefined
type Fault = (call: StandInCall) => Fate | Promise<Fate>

export interface FaultyWay {
  readonly url: string
  /** Waited for before the service hears of a call; a status means that it never does. */
  before: Fault
  /** Waited for while the service's answer is on its way; a status means that the answer is lost. */
  after: Fault
  /** Nothing is in the way. */
  mend(): void
  close(): Promise<void>
}

const passed = ['authorization', 'content-type', 'idempotency-key', 'x-idempotency-key']
const nothing: Fault = () => undefined

/** The way from the server to a foreign service, on which calls and answers can be held up and lost. */
export async function startFaultyWay(serviceUrl: string): Promise<FaultyWay> {
  const server = await startStandIn(async (call) => {
    const refused = await way.before(call)
    if (refused !== undefined) return { status: refused, json: {} }
    const { method, url, body } = call
    const headers = passed.flatMap((name): [string, string][] => (call.headers[name] === undefined ? [] : [[name, String(call.headers[name])]]))
    const response = await fetch(`${serviceUrl}${url.pathname}${url.search}`, { method, headers, ...(method === 'POST' ? { body } : {}) })
    const json: unknown = await response.json()
    const lost = await way.after(call)
    return lost === undefined ? { status: response.status, json } : { status: lost, json: {} }
  })
  const way: FaultyWay = {
    url: server.url,
    before: nothing,
    after: nothing,
    mend() {
      way.before = nothing
      way.after = nothing
    },
    close: server.close,
  }
  return way
}

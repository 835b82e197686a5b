import { Pool } from 'undici'

/** What is called: the same request each time, or another one for each call. */
export type Ask = (round: number) => string
export type Figures = { p50: number; p95: number; worst: number; kilobytes: number }

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)] ?? 0

/** A program that is signed in, with so many connections. */
export class Caller {
  private readonly pool: Pool
  constructor(
    url: string,
    private readonly token: string,
    connections: number,
  ) {
    this.pool = new Pool(url, { connections, pipelining: 1 })
  }

  /** The answer's text; anything but a 200 ends the benchmark. */
  async get(path: string): Promise<string> {
    const { statusCode, body } = await this.pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${this.token}` },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`)
    return text
  }

  /** Milliseconds until the whole answer is here; `clients` ask at the same time, each one call after the other. */
  async measure(ask: Ask, rounds: number, clients: number): Promise<Figures> {
    for (let round = 0; round < 3; round++) await this.get(ask(round))
    const times: number[] = []
    let [next, bytes] = [0, 0]
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < rounds * clients) {
          const path = ask(next++)
          const start = performance.now()
          const text = await this.get(path)
          times.push(performance.now() - start)
          bytes += text.length
        }
      }),
    )
    return {
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      worst: Math.max(...times),
      kilobytes: bytes / times.length / 1_000,
    }
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}

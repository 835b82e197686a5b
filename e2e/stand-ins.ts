type StandIn = { close(): Promise<void> }

/**
 * The outside services that a worker keeps for its journeys, one after the other; each starts when the first journey
 * needs it. They are one fixture for all journeys: those with other fixtures of the worker would need another worker.
 */
export class StandIns {
  private readonly started = new Map<() => Promise<StandIn>, Promise<StandIn>>()

  async of<T extends StandIn>(start: () => Promise<T>): Promise<T> {
    const known = this.started.get(start) as Promise<T> | undefined
    const standIn = known ?? start()
    this.started.set(start, standIn)
    return standIn
  }

  async close(): Promise<void> {
    for (const standIn of this.started.values()) await (await standIn).close()
  }
}

import fc from 'fast-check'

/** Runs with the seed of this run of the tests, which whatever fails names. With the same seed the same steps are taken; how calls overlap is up to the machine. */
export async function seeded(run: (seed: number) => Promise<void>): Promise<void> {
  const { seed } = fc.readConfigureGlobal()
  if (seed === undefined) throw new Error('the setup of the tests gives the seed')
  try {
    await run(seed)
  } catch (error) {
    // What was expected stands in the innermost one; around it is the long list of steps.
    let reason = error
    while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
    throw new Error(`failed with RUN_SEED=${seed}: ${reason instanceof Error ? reason.message : String(reason)}`, { cause: error })
  }
}

import fc from 'fast-check'

/** `npm run test:deep`: random tests in their full size and every death of a process. */
export const isDeep = process.env.TEST_DEPTH === 'deep'

/** How often a random test that has so many runs in its full size runs: a tenth of them in `npm test`. */
export const runsOf = (full: number): number => (isDeep ? full : Math.ceil(full / 10))

/**
 * Runs with the seed of this run of the tests, which whatever fails names. With the same seed the same steps are taken;
 * how calls overlap is up to the machine.
 */
export async function seeded(run: (seed: number) => Promise<void>): Promise<void> {
  const { seed } = fc.readConfigureGlobal()
  if (seed === undefined) throw new Error('the setup of the tests gives the seed')
  try {
    await run(seed)
  } catch (error) {
    // What was expected stands in the innermost one; around it is the long list of steps.
    let reason = error
    while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
    throw new Error(`failed with RUN_SEED=${seed}: ${reason instanceof Error ? reason.message : String(reason)}`, {
      cause: error,
    })
  }
}

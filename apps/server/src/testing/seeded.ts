import { randomInt } from 'node:crypto'

/** Runs with the seed of RUN_SEED, or a new one, which whatever fails names. With the same seed the same steps are taken; how calls overlap is still up to the machine. */
export async function seeded(run: (seed: number) => Promise<void>): Promise<void> {
  const seed = Number(process.env.RUN_SEED ?? randomInt(2 ** 31))
  try {
    await run(seed)
  } catch (error) {
    throw new Error(`failed with RUN_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

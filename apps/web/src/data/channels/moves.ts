import { AppError } from '@parley/contract/errors'

type Moves = typeof import('./move-channel')

/** Loads the code with the first move, which needs the network anyway. */
async function moves(): Promise<Moves> {
  try {
    return await import('./move-channel')
  } catch (error) {
    throw new AppError('network', { cause: error })
  }
}

export const moveToCloud: Moves['moveToCloud'] = async (...move) => (await moves()).moveToCloud(...move)
export const moveToDevice: Moves['moveToDevice'] = async (...move) => (await moves()).moveToDevice(...move)

import { AppError } from '@parley/contract/errors'

/** A file of the app itself, by the address that the build gave it. */
export async function fetchAsset(address: string): Promise<Uint8Array> {
  const response = await fetch(address).catch((error: unknown) => {
    throw new AppError('network', { cause: error })
  })
  if (!response.ok) throw new AppError('not-found')
  return new Uint8Array(await response.arrayBuffer())
}

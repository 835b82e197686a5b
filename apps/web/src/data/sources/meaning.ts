import { AppError } from '@parley/contract/errors'
import { sourceVectorRoutes } from '@parley/contract/source-vectors'
import { api } from '../api/api'
import { readConfig } from '../config/read-config'
import { announce } from '../local/changes'
import { storedSession } from '../session/stored-session'

/** Has vectors made of texts; undefined for one that the model refuses. Every failure is an AppError. */
type MakeVectors = (
  texts: string[],
  signal: AbortSignal,
) => Promise<{ key: string; vectors: (Float32Array | undefined)[] }>

/** Searching by meaning, which sends texts to the server: nothing is to leave before `model` was asked. */
export type Meaning = {
  /** The model whose vectors this person wants; undefined: none, because it is switched off or the server has none. */
  model: (userId: string | undefined) => Promise<string | undefined>
  makeVectors: MakeVectors
}

export const meaningOfServer: Meaning = {
  async model(userId) {
    if (userId === undefined || userId !== storedSession()?.user.id || !isMeaningOn()) return undefined
    return (await readConfig())?.vectors?.model
  },
  async makeVectors(texts, signal) {
    const { key, vectors } = await api(sourceVectorRoutes.embed, { body: { texts }, signal })
    const [known] = vectors.flatMap((vector) => vector ?? [])
    const made = vectors.map((vector) => (vector === null ? undefined : vectorOf(vector)))
    const length = known === undefined ? undefined : vectorOf(known).length
    if (made.length !== texts.length || made.some((vector) => vector && vector.length !== length))
      throw new AppError('unknown')
    return { key, vectors: made }
  },
}

function vectorOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.getFloat32(at * 4, true))
}

const key = 'search-by-meaning'

/** Whether the person who is signed in has switched it on, on this device. */
export function isMeaningOn(): boolean {
  try {
    const userId = storedSession()?.user.id
    return userId !== undefined && localStorage.getItem(key) === userId
  } catch {
    // localStorage is denied: nobody could have switched it on.
    return false
  }
}

/** For the person who is signed in, on this device; all tabs are told. Throws storage.unavailable. */
export function setMeaningOn(isOn: boolean): void {
  const userId = storedSession()?.user.id
  try {
    if (isOn && userId !== undefined) localStorage.setItem(key, userId)
    else localStorage.removeItem(key)
  } catch (error) {
    throw new AppError('storage.unavailable', { cause: error })
  }
  announce({ kind: 'meaning' })
}

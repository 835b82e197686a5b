/** Under which the environment leaves what opens a page, for own-page.ts. */
export const openPageKey = Symbol.for('parley.open-page')

/**
 * What a worker has over all its files, made when it is first asked for. A module's own state would not last: modules
 * are loaded anew for each file.
 */
export function keptInWorker<T extends object>(name: string, make: () => T): T {
  const key = Symbol.for(`parley.${name}`)
  const kept: T | undefined = Reflect.get(globalThis, key)
  if (kept) return kept
  const made = make()
  Reflect.set(globalThis, key, made)
  return made
}

import type { QueryClient } from '@tanstack/react-query'
import type { StoreApi } from 'zustand'

/** What a scope is made with; all but the person stays for the next one. */
export type Environment = {
  userId?: string | undefined
  /** The cache of this page, which changes are written to. */
  queryClient?: QueryClient | undefined
  /** Starts what acts in the scope by itself. */
  onEnter?: (scope: Scope) => void
}

type Options<T> = {
  /** What the next person takes along: the part of their scope. Undefined where it begins anew. */
  carry?: (before: T, next: Scope) => T | undefined
}
type Part<T> = { make: (scope: Scope) => T } & Options<T>

/**
 * Holds what the data of one person's session has in memory: every part of it is made when it is first asked for, and
 * ends with the scope. A call that goes on after another person has signed in keeps the part that it began with.
 */
export class Scope {
  private readonly parts = new Map<Part<never>, unknown>()
  private readonly end = new AbortController()

  constructor(readonly environment: Environment = {}) {}

  get userId(): string | undefined {
    return this.environment.userId
  }

  /** Aborted with the end of the scope: for listeners and calls that belong to it. */
  get signal(): AbortSignal {
    return this.end.signal
  }

  get isDisposed(): boolean {
    return this.end.signal.aborted
  }

  part<T>(part: Part<T>): T {
    const key = part as unknown as Part<never>
    if (!this.parts.has(key)) this.parts.set(key, part.make(this))
    return this.parts.get(key) as T
  }

  onDispose(action: () => void): void {
    this.signal.addEventListener('abort', action, { once: true })
  }

  /** Like setTimeout, as long as the scope stands. */
  later(action: () => void, ms: number): ReturnType<typeof setTimeout> | undefined {
    if (this.isDisposed) return undefined
    const stop = (): void => clearTimeout(timer)
    const timer = setTimeout(() => {
      this.signal.removeEventListener('abort', stop)
      action()
    }, ms)
    this.signal.addEventListener('abort', stop, { once: true })
    return timer
  }

  dispose(): void {
    this.end.abort()
  }

  /** Gives the next scope what it takes along. */
  carryTo(next: Scope): void {
    for (const [part, value] of this.parts) {
      const carried = part.carry?.(value as never, next)
      if (carried !== undefined) next.parts.set(part, carried)
    }
  }
}

/** The one variable of the page that knows whose session it is: everything of a person hangs on it. */
let current = new Scope()
/** Stores of modules, which screens read by hooks. They hold nothing beyond the end of a scope. */
const stores = new Set<StoreApi<unknown>>()

export const currentScope = (): Scope => current

/** Ends the scope and begins the next one, for another person or with another cache. */
export function enterScope(environment: Environment = {}): Scope {
  const before = current
  const next = new Scope(environment)
  before.carryTo(next)
  // Whoever acts on the end of the former scope must find nothing of it.
  current = next
  before.dispose()
  for (const store of stores) store.setState(store.getInitialState(), true)
  environment.onEnter?.(next)
  return next
}

/** Declares a part of each person's scope. The function answers that of the current one, or of the given one. */
export function scoped<T>(make: (scope: Scope) => T, options: Options<T> = {}): (scope?: Scope) => T {
  const part = { make, ...options }
  return (scope = current) => scope.part(part)
}

/** Declares that a store holds what belongs to a person: it begins anew with each scope. */
export function resetWithScope<S extends Pick<StoreApi<never>, never>>(store: S): S {
  stores.add(store as unknown as StoreApi<unknown>)
  return store
}

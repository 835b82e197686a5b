import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isDeep: boolean
  }
}

/** `npm run test:deep`: random tests in their full size and every death. */
export const isDeep: boolean = inject('isDeep')

/** How often a random test that has so many runs in its full size runs: a tenth of them in `npm test`. */
export const runsOf = (full: number): number => (isDeep ? full : Math.ceil(full / 10))

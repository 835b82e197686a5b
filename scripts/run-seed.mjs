// Vitest setup: what random tests begin with.
import fc from 'fast-check'
import { inject } from 'vitest'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('runSeed') })

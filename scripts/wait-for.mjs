// Vitest setup: `vi.waitFor` waits as long as `expect.poll` where a test names no time. Its own second is too short for
// a busy machine, and no setting changes it.
import { inject, vi } from 'vitest'

const patient = Symbol.for('parley.patient-wait-for')

// Files of one worker may share `vi`.
if (!(patient in vi.waitFor)) {
  const { waitFor } = vi
  const patientWaitFor = (callback, options = {}) =>
    waitFor(callback, typeof options === 'number' ? options : { timeout: inject('waitMs'), ...options })
  vi.waitFor = Object.assign(patientWaitFor, { [patient]: true })
}

import { describe, expect, it } from 'vitest'
import { buildTestApp, databases } from '../testing/build-test-app'
import { jobs } from './schema/jobs'

describe.each(databases)('the metrics of jobs on %s', (kind) => {
  it('tell what is repeated, what waits, what is late and what was given up', async () => {
    const app = await buildTestApp({ kind })
    const at = new Date(app.now())
    const job = { payload: {}, createdAt: at }
    await app.db.insert(jobs).values([
      { ...job, kind: 'test.mail', key: '1', dueAt: new Date(at.getTime() - 3_600_000), attempts: 2 },
      { ...job, kind: 'test.mail', key: '2', dueAt: new Date(at.getTime() + 60_000) },
      { ...job, kind: 'test.mail', key: '3', dueAt: at, failedAt: at },
    ])
    const lines = (await (await app.call('/metrics')).text()).split('\n')
    expect(lines).toContain('jobs_waiting{kind="test.mail"} 2')
    expect(lines).toContain('jobs_retrying{kind="test.mail"} 1')
    expect(lines).toContain('jobs_failed{kind="test.mail"} 1')
    const late = lines.find((line) => line.startsWith('job_late_seconds{kind="test.mail"}'))
    expect(Number(late?.split(' ')[1])).toBeGreaterThanOrEqual(3_600)
    // Without a kind in the table there would be no alarm when its work stops.
    for (const kindOfWork of ['auth.sweep', 'tickets.sweep', 'sharing.sweep', 'credits.sweep', 'payments.reconcile'])
      await expect
        .poll(async () => (await app.call('/metrics')).text())
        .toContain(`jobs_waiting{kind="${kindOfWork}"} 1`)
  })
})

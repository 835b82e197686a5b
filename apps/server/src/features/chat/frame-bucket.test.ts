import { expect, it } from 'vitest'
import { FrameBucket } from './frame-bucket'

it('lets a burst pass, then so many frames a second, large ones counting more than once', () => {
  let now = 0
  const bucket = new FrameBucket(1, { perSecond: 10, burst: 5, unitBytes: 1_000, now: () => now })
  for (let frame = 0; frame < 5; frame++) expect(bucket.take(10)).toBe(0)
  expect(bucket.take(10)).toBe(100)
  now += 100
  expect(bucket.take(10)).toBe(100)
  now += 100
  // Ten thousand bytes are ten frames more.
  expect(bucket.take(10_000)).toBe(1_100)
  now += 60_000
  for (let frame = 0; frame < 5; frame++) expect(bucket.take(10)).toBe(0)
  expect(bucket.take(10)).toBe(100)
})

it('lets everything pass where limits are off', () => {
  const bucket = new FrameBucket(0)
  for (let frame = 0; frame < 1_000; frame++) expect(bucket.take(200_000)).toBe(0)
})

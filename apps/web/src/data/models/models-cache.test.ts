import type { Model } from '@parley/contract/models'
import { beforeEach, expect, it, vi } from 'vitest'
import { readModelsCache, writeModelsCache } from './models-cache'

const models: Model[] = [{ id: 'a/b', name: 'B', free: false }]
const day = 24 * 60 * 60_000

beforeEach(() => localStorage.clear())

it('keeps the models and when they came, for 24 hours [ST-080]', () => {
  writeModelsCache(models, 1_000)
  expect(JSON.parse(localStorage.getItem('models-cache') ?? '')).toEqual({ models, timestamp: 1_000 })
  expect(readModelsCache(1_000 + day - 1)).toEqual({ models, timestamp: 1_000 })
  expect(readModelsCache(1_000 + day)).toBeUndefined()
})

it('takes nothing from the future, nothing broken and nothing empty', () => {
  writeModelsCache(models, 2_000)
  expect(readModelsCache(1_999)).toBeUndefined()
  for (const broken of [
    '{',
    '7',
    'null',
    '{"models":[],"timestamp":1}',
    '{"models":[{"id":7}],"timestamp":1}',
    '{"models":[{"id":"a"}]}',
  ]) {
    localStorage.setItem('models-cache', broken)
    expect(readModelsCache(10), broken).toBeUndefined()
  }
})

it('is no trouble where the browser keeps nothing', () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(() => writeModelsCache(models)).not.toThrow()
  full.mockRestore()
})

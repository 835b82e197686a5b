import { expect, it } from 'vitest'
import type { Translate } from '../i18n/interface-language'
import { placeOf } from './source-place'
import { addressAt } from './video-address'

const t = ((key: string, { page }: { page?: number } = {}) => `${key} ${page}`) as Translate

it.each([
  ['lease.pdf', 'sources.page 3'],
  ['costs.XLSX', 'sources.sheet 3'],
  ['costs.ods', 'sources.sheet 3'],
  ['talk.pptx', 'sources.slide 3'],
  ['talk.odp', 'sources.slide 3'],
])('a passage of %s stands on %s', (title, expected) => {
  expect(placeOf({ title, page: 3 }, t)).toBe(expected)
})

it('a passage of a video stands at its time, to which its address leads; one of a website goes by its host', () => {
  const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  expect(placeOf({ title: 'A talk', url: video, page: 3_663 }, t)).toBe('1:01:02')
  expect(addressAt(video, 3_663)).toBe(`${video}&t=3662s`)
  expect(addressAt(video, 1)).toBe(video)
  expect(placeOf({ title: 'A page', url: 'https://www.ibge.gov.br/a', page: 2 }, t)).toBe('ibge.gov.br')
  expect(addressAt('https://www.ibge.gov.br/a', 2)).toBe('https://www.ibge.gov.br/a')
})

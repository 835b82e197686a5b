import { expect, it } from 'vitest'
import { linkOf, loneLinkOf } from './link-kind'

it('takes YouTube for a video and what else looks like an address for a website [ST-126]', () => {
  const kind = (text: string) => linkOf(text)?.kind
  for (const video of ['https://www.youtube.com/watch?v=hX3kLwVq0p8', 'youtu.be/hX3kLwVq0p8', 'm.youtube.com/shorts/a'])
    expect(kind(video), video).toBe('video')
  for (const site of [
    'https://ibge.gov.br/indices',
    'ibge.gov.br',
    ' http://example.com:8080/a?b#c ',
    'http://wiki:8080/rents',
  ])
    expect(kind(site), site).toBe('website')
  expect(kind('https://notyoutube.com/watch')).toBe('website')
  expect(linkOf('ibge.gov.br')?.url).toBe('https://ibge.gov.br')
})

it('takes nothing else for one [ST-126]', () => {
  for (const text of [
    '',
    'lease',
    'wiki:8080',
    '127.0.0.1',
    'two words.com',
    'ftp://example.com',
    'javascript:alert(1)',
    '12.50',
    'a..b',
    'https://',
  ])
    expect(linkOf(text), text).toBeUndefined()
})

it('offers to read only an address with its scheme that was pasted by itself', () => {
  expect(loneLinkOf(' https://ibge.gov.br \n')?.url).toBe('https://ibge.gov.br')
  expect(loneLinkOf('See https://ibge.gov.br')).toBeUndefined()
  expect(loneLinkOf('lease.pdf')).toBeUndefined()
})

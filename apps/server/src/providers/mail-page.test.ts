import { expect, it } from 'vitest'
import { bodyText, hrefs } from '../testing/mail-words'
import { toMail } from './mail-page'

it('what is put into a page stays text, whatever it is', () => {
  const evil = `"><img src=x onerror='a()'>&amp;`
  const { html, text } = toMail({
    language: 'en-US',
    subject: evil,
    paragraphs: [evil],
    links: [{ label: evil, url: `https://parley.example/?a=1&b=${evil}` }],
    code: evil,
    footer: evil,
  })
  expect(html).not.toContain('<img')
  expect(html).not.toContain("onerror='")
  expect(hrefs(html)).toEqual([`https://parley.example/?a=1&b=${evil}`])
  expect(bodyText(html).split(evil)).toHaveLength(5)
  expect(text.split(evil)).toHaveLength(6)
})

import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { nodeFonts } from './node-fonts'
import { type PdfChannel, renderChannelPdf } from './render-channel-pdf'

const render = (answer: string, fields: Partial<PdfChannel> = {}): Promise<Uint8Array> =>
  renderChannelPdf(
    {
      title: 'Viagem à Lua',
      exportedAt: '2026-11-21T10:00:00Z',
      language: 'en-US',
      labels: { exported: 'Exported', cut: 'SHORTENED' },
      exchanges: [{ question: 'Quanto é?', answer, askedAt: '2026-11-21T09:00:00Z', agentName: 'Parley' }],
      ...fields,
    },
    nodeFonts,
  )

async function read(pdf: Uint8Array): Promise<{ text: string; pages: number; size: number[]; links: string[] }> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  let text = ''
  const links: string[] = []
  for (let n = 1; n <= document.numPages; n++) {
    const page = await document.getPage(n)
    for (const item of (await page.getTextContent()).items)
      if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '')
    for (const { url } of await page.getAnnotations()) if (typeof url === 'string') links.push(url)
  }
  const first = await document.getPage(1)
  return { text, pages: document.numPages, size: first.view.slice(2), links }
}

describe('a chat as PDF', () => {
  it('holds real text: accents, CJK, emoji, code, tables, lists [CH-126]', async () => {
    const { text } = await read(
      await render(
        '# Título\n\nAção, 漢字 かな, 🙂\n\n```ts\nconst x = 1\n```\n\n| a | b |\n|---|---|\n| um | dois |\n\n- item\n  - dentro',
      ),
    )
    for (const part of [
      'Viagem à Lua',
      'Quanto é?',
      'Título',
      'Ação',
      '漢字',
      'かな',
      '🙂',
      'const x = 1',
      'um',
      'dois',
      'item',
      'dentro',
    ])
      expect(text).toContain(part)
  })

  it('says who asked, where several people do', async () => {
    const exchange = { question: 'Quando?', answer: 'Amanhã.', askedAt: '2026-11-21T09:00:00Z', agentName: 'Parley' }
    const { text } = await read(await render('', { exchanges: [exchange, { ...exchange, authorName: 'João 木村' }] }))
    expect(text.match(/João/g)).toHaveLength(1)
    expect(text).toContain('木村')
  })

  it('is A4 upright [CH-131]', async () => {
    const { size } = await read(await render('x'))
    expect(size.map(Math.round)).toEqual([595, 842])
  })

  it('links only where a link is safe', async () => {
    const { links } = await read(await render('[a](https://example.com/) [b](javascript:alert(1)) [c](mailto:a@b.c)'))
    expect(links).toEqual(['https://example.com/', 'mailto:a@b.c'])
  })

  it('draws a formula, and shows the source of a broken one', async () => {
    const { text } = await read(await render('$$x^2$$\n\nthen\n\n$$\\frac{$$'))
    expect(text).toContain('then')
    expect(text).toContain('\\frac{')
  })

  it.each([
    ['a word of 200,000 letters', 'a'.repeat(200_000)],
    ['a table of 10,000 rows', `| n |\n|---|\n${'| 1 |\n'.repeat(10_000)}`],
    ['5,000 quotes in each other', `${'> '.repeat(5_000)}deep`],
    ['control characters and half characters', 'a\u0000b\ud800c'],
  ])('survives %s', async (_what, answer) => {
    expect((await read(await render(answer))).pages).toBeGreaterThan(0)
  })
})

import { describe, expect, it } from 'vitest'
import { isReadable, mediaTypeOf } from './media-type'
import { nodePdf } from './node-pdf'
import { readFile } from './read-file'
import { docxOf, docxParagraph, docxRun, docxTable, utf8, zipOf } from './testing/files'
import { pdfOf, prose } from './testing/pdf-bytes'

const read = (name: string, content: Uint8Array | string) =>
  readFile({ name, bytes: typeof content === 'string' ? utf8(content) : content }, { pdf: nodePdf() })

const bytesOf = (...bytes: number[]): Uint8Array => new Uint8Array(bytes)

describe('texts', () => {
  it('reads paragraphs of a text in UTF-8, UTF-16 and windows-1252 alike [ST-129]', async () => {
    const text = 'Olá, São João.\n\nSegundo parágrafo.'
    const wide = new Uint8Array(text.length * 2)
    for (const [index, character] of Array.from(text).entries()) wide[index * 2] = character.charCodeAt(0)
    const files = [
      utf8(text),
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
      bytesOf(0xff, 0xfe, ...wide),
      wide,
    ]
    for (const bytes of files) {
      const { blocks } = await read('a.txt', bytes)
      expect(blocks).toEqual([
        { kind: 'paragraph', text: 'Olá, São João.' },
        { kind: 'paragraph', text: 'Segundo parágrafo.' },
      ])
    }
  })

  it('reads Markdown with its headings, lists, tables, code and footnotes', async () => {
    const { blocks } = await read(
      'a.md',
      '# One\n\nA **bold** [link](https://a.example/).\n\n- first\n  - inner\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```\n\n[^1]: The note.\n',
    )
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'One' },
      { kind: 'paragraph', text: 'A bold link (https://a.example/).' },
      { kind: 'list-item', level: 0, text: 'first' },
      { kind: 'list-item', level: 1, text: 'inner' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
        hasHeader: true,
      },
      { kind: 'code', text: 'const a = 1' },
      { kind: 'footnote', text: '1 The note.' },
    ])
  })

  it('reads CSV with quoted cells, by whatever separates them', async () => {
    const { blocks } = await read('a.csv', 'nome;valor\n"Silva; José";"1.234,56"\n"a ""b""\nc";2\n')
    expect(blocks).toEqual([
      {
        kind: 'table',
        hasHeader: true,
        rows: [
          ['nome', 'valor'],
          ['Silva; José', '1.234,56'],
          ['a "b"\nc', '2'],
        ],
      },
    ])
  })

  it('reads source code and data as code', async () => {
    expect((await read('a.py', 'def f():\n    return 1\n')).blocks).toEqual([
      { kind: 'code', text: 'def f():\n    return 1' },
    ])
    const compact = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, name: `name ${id}` })))
    const { blocks } = await read('a.json', compact)
    expect(blocks.length).toBeGreaterThan(10)
    expect(blocks.every(({ kind }) => kind === 'code')).toBe(true)
  })
})

describe('websites', () => {
  it('reads what a page is about, with its structure, without menus, scripts and hidden text', async () => {
    const article = 'The lease ends on the last day of March. '.repeat(6)
    const { blocks, title } = await read(
      'a.html',
      `<!doctype html><title>Lease</title><script>alert(1)</script><nav>Home</nav><main><h1>Title</h1><p>${article}</p>
       <p hidden>secret</p><ul><li>one<ul><li>two</li></ul></ul><table><tr><th>a<th>b<tr><td>1<td>2</table>
       <pre>x = 1\n  y</pre></main><footer>Imprint</footer>`,
    )
    expect(title).toBe('Lease')
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Title' },
      { kind: 'paragraph', text: article.trim() },
      { kind: 'list-item', level: 0, text: 'one' },
      { kind: 'list-item', level: 1, text: 'two' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
        hasHeader: true,
      },
      { kind: 'code', text: 'x = 1\n  y' },
    ])
  })

  it('reads tables that only place things as text', async () => {
    const { blocks } = await read(
      'a.html',
      '<html><table><tr><td>Menu</td><td><p>First.</p><table><tr><td>a</td><td>1</td></tr></table>Last.</td></tr></table>',
    )
    const texts = blocks.map((block) => (block.kind === 'table' ? block.rows.flat().join(' ') : block.text))
    expect(texts.join(' ')).toBe('Menu First. a 1 Last.')
  })
})

describe('Word', () => {
  it('reads headings, lists, tables and footnotes, and neither deleted text nor doubles [ST-129]', async () => {
    const note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    const list = `<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr>${docxRun('item')}</w:p>`
    const twice = `<w:p><mc:AlternateContent xmlns:mc="m"><mc:Choice>${docxRun('new')}</mc:Choice><mc:Fallback>${docxRun('old')}</mc:Fallback></mc:AlternateContent></w:p>`
    const { blocks } = await read(
      'a.docx',
      docxOf(
        `${docxParagraph('Contrato', 'Ttulo1')}<w:p>${docxRun('O aluguel &amp; ')}${docxRun('as taxas')}${note}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>${list}${twice}${docxTable(
          [
            ['Item', 'Valor'],
            ['Água', 'R$ 10'],
          ],
        )}`,
        {
          'word/footnotes.xml':
            '<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0"/><w:footnote w:id="2"><w:p><w:r><w:t>Ver anexo.</w:t></w:r></w:p></w:footnote></w:footnotes>',
        },
      ),
    )
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Contrato' },
      { kind: 'paragraph', text: 'O aluguel & as taxas' },
      { kind: 'footnote', text: 'Ver anexo.' },
      { kind: 'list-item', level: 1, text: 'item' },
      { kind: 'paragraph', text: 'new' },
      {
        kind: 'table',
        hasHeader: true,
        rows: [
          ['Item', 'Valor'],
          ['Água', 'R$ 10'],
        ],
      },
    ])
  })

  it('tells pages apart where Word has noted them', async () => {
    const { blocks, pages } = await read(
      'a.docx',
      docxOf(`${docxParagraph('one')}<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>`),
    )
    expect(pages).toBe(2)
    expect(blocks.at(-1)).toEqual({ kind: 'paragraph', text: 'two', page: 2 })
  })
})

describe('PDF', () => {
  it('reads headings by their size, paragraphs, lists, tables and footnotes of each page [ST-129]', async () => {
    const { blocks, pages, title } = await read(
      'a.pdf',
      pdfOf(
        [
          [
            { x: 60, y: 80, size: 20, text: 'Lease' },
            ...prose(
              [
                'The tenant pays the rent on the fifth day of each month and keeps the flat in',
                'good order, as agreed.',
              ],
              120,
            ),
            { x: 60, y: 170, text: '• No pets' },
            ...['Item', 'Rent', 'Water'].map((text, row) => ({ x: 60, y: 220 + row * 14, text })),
            ...['Price', '900.00', '35.50'].map((text, row) => ({ x: 300, y: 220 + row * 14, text })),
            { x: 60, y: 780, size: 8, text: '1 Plus interest of two per cent.' },
          ],
          [...prose(['The second page holds the rules of the house for all who live in it and their', 'guests.'])],
        ],
        { title: 'The lease' },
      ),
    )
    expect({ pages, title }).toEqual({ pages: 2, title: 'The lease' })
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Lease', page: 1 },
      {
        kind: 'paragraph',
        text: 'The tenant pays the rent on the fifth day of each month and keeps the flat in good order, as agreed.',
        page: 1,
      },
      { kind: 'list-item', level: 0, text: 'No pets', page: 1 },
      {
        kind: 'table',
        rows: [
          ['Item', 'Price'],
          ['Rent', '900.00'],
          ['Water', '35.50'],
        ],
        hasHeader: true,
        page: 1,
      },
      { kind: 'footnote', text: '1 Plus interest of two per cent.', page: 1 },
      {
        kind: 'paragraph',
        text: 'The second page holds the rules of the house for all who live in it and their guests.',
        page: 2,
      },
    ])
  })

  it('reads two columns one after the other', async () => {
    const column = (name: string) =>
      Array.from({ length: 9 }, (_, line) => `${name} ${line} of a column of prose, long`)
    const { blocks } = await read('a.pdf', pdfOf([[...prose(column('left')), ...prose(column('right'), 100, 11, 320)]]))
    const text = blocks.map((block) => ('text' in block ? block.text : '')).join(' ')
    expect(text.indexOf('left 8')).toBeLessThan(text.indexOf('right 0'))
    expect(text).toContain('left 8')
  })

  it('leaves out what stands at the head and foot of each page, and joins divided words', async () => {
    const page = (n: number) => [
      { x: 60, y: 30, size: 8, text: 'Annual report' },
      ...prose([`Page text ${n} tells of the develop-`, 'ment of the company.']),
      { x: 290, y: 820, size: 8, text: String(n) },
    ]
    const { blocks } = await read('a.pdf', pdfOf([1, 2, 3, 4, 5].map(page)))
    expect(blocks).toHaveLength(5)
    expect(blocks[2]).toEqual({
      kind: 'paragraph',
      text: 'Page text 3 tells of the development of the company.',
      page: 3,
    })
  })

  it('says how far it is', async () => {
    const seen: number[] = []
    await readFile(
      { name: 'a.pdf', bytes: pdfOf([prose(['one']), prose(['two'])]) },
      { pdf: nodePdf(), onProgress: ({ done, of }) => seen.push(done, of) },
    )
    expect(seen).toEqual([1, 2, 2, 2])
  })
})

describe('kinds', () => {
  it('goes by what is in a file, not by its name', () => {
    expect(mediaTypeOf('../../etc/passwd.docx', pdfOf([[]]))).toBe('application/pdf')
    expect(mediaTypeOf('a.pdf', docxOf(''))).toMatch(/wordprocessingml/)
    expect(mediaTypeOf('a.txt', bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d))).toBe('image/png')
    expect(mediaTypeOf('a.zip', zipOf({ 'a.docx': docxOf('') }))).toBe('application/octet-stream')
    expect(mediaTypeOf('a.txt', bytesOf(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0))).toBe(
      'application/octet-stream',
    )
  })

  it('knows by the name whether a file is worth opening', () => {
    expect(['Lease.PDF', 'a.b.docx', 'x.tsx'].map(isReadable)).toEqual([true, true, true])
    expect(['a.exe', 'pdf', 'x.pdf/y', ''].map(isReadable)).toEqual([false, false, false, false])
  })

  it('refuses what it cannot read, and says why', async () => {
    await expect(read('a.pdf', '')).rejects.toMatchObject({ code: 'source.empty' })
    await expect(read('a.exe', bytesOf(0x4d, 0x5a, 0, 3, 0, 0, 0, 4))).rejects.toMatchObject({ code: 'source.type' })
    await expect(read('a.pdf', new Uint8Array(50 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'source.too-large',
    })
    const cancelled = AbortSignal.abort()
    await expect(readFile({ name: 'a.txt', bytes: utf8('a') }, { signal: cancelled })).rejects.toMatchObject({
      code: 'source.cancelled',
    })
  })
})

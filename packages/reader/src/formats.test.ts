import { describe, expect, it } from 'vitest'
import { readFile } from './read-file'
import { utf8 } from './testing/files'
import { epub, odp, ods, odt, pptx, xlsx } from './testing/office-files'

const read = (name: string, content: Uint8Array | string) =>
  readFile({ name, bytes: typeof content === 'string' ? utf8(content) : content })

describe('presentations', () => {
  it('reads slides in their order, with titles, lists, tables and what the speaker says [ST-129]', async () => {
    const { blocks, pages } = await read('a.pptx', pptx())
    expect(pages).toBe(2)
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Resultados', page: 1 },
      { kind: 'list-item', level: 0, text: 'Vendas em alta', page: 1 },
      { kind: 'list-item', level: 0, text: 'Custos em baixa', page: 1 },
      { kind: 'list-item', level: 0, text: 'Falar devagar', page: 1 },
      { kind: 'heading', level: 1, text: 'Tabela', page: 2 },
      {
        kind: 'table',
        rows: [
          ['Ano', 'Total'],
          ['2025', '12'],
        ],
        hasHeader: true,
        page: 2,
      },
    ])
  })
})

describe('sheets', () => {
  it('reads titles, tables, days and numbers of a workbook', async () => {
    const { blocks } = await read('a.xlsx', xlsx())
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Despesas', page: 1 },
      { kind: 'paragraph', text: 'Relatório', page: 1 },
      {
        kind: 'table',
        rows: [
          ['Data', 'Valor'],
          ['2024-01-01', '0.3'],
          ['ontem', 'TRUE'],
        ],
        hasHeader: true,
        page: 1,
      },
    ])
  })

  it('reads an OpenDocument sheet without the million empty cells that it claims', async () => {
    const { blocks } = await read('a.ods', ods())
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Plano', page: 1 },
      {
        kind: 'table',
        rows: [
          ['mês', 'valor'],
          ['maio', '7'],
        ],
        hasHeader: true,
        page: 1,
      },
    ])
  })
})

describe('OpenDocument', () => {
  it('reads headings, lists, tables and footnotes of a text [ST-129]', async () => {
    const { blocks } = await read('a.odt', odt())
    expect(blocks).toEqual([
      { kind: 'heading', level: 2, text: 'Título' },
      { kind: 'paragraph', text: 'Um texto aqui.' },
      { kind: 'footnote', text: 'A nota.' },
      { kind: 'list-item', level: 0, text: 'item' },
      { kind: 'list-item', level: 1, text: 'dentro' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
        hasHeader: true,
      },
    ])
  })

  it('reads the slides of a presentation [ST-129]', async () => {
    const { blocks } = await read('a.odp', odp())
    expect(blocks).toEqual([
      { kind: 'paragraph', text: 'um', page: 1 },
      { kind: 'paragraph', text: 'dois', page: 2 },
    ])
  })
})

describe('books', () => {
  it('reads the chapters in the order of the spine', async () => {
    const { blocks, title } = await read('a.epub', epub())
    expect(title).toBe('Dom Casmurro')
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Do título' },
      { kind: 'paragraph', text: 'Uma noite destas…' },
      { kind: 'heading', level: 1, text: 'Do livro' },
      { kind: 'footnote', text: 'Nota.' },
    ])
  })
})

describe('rich text', () => {
  it('reads accents, headings, tables and footnotes, and no commands [ST-129]', async () => {
    const { blocks } = await read(
      'a.rtf',
      String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Arial;}}{\*\generator X;}{\info{\title No}}\pard\outlinelevel0 Relat\'f3rio\par\pard A\u231?\u227?o {\b forte}{\footnote \pard A nota.} fim.\par
\trowd\intbl Item\cell Valor\cell\row\trowd\intbl Luz\cell 10\cell\row\pard {\pict\bin3 }}}}Fim\par}`,
    )
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Relatório' },
      { kind: 'paragraph', text: 'Ação forte fim.' },
      { kind: 'footnote', text: 'A nota.' },
      {
        kind: 'table',
        rows: [
          ['Item', 'Valor'],
          ['Luz', '10'],
        ],
        hasHeader: true,
      },
      { kind: 'paragraph', text: 'Fim' },
    ])
  })
})

describe('TeX', () => {
  it('reads headings, lists, tables, footnotes and accents; formulas stay [ST-129]', async () => {
    const { blocks, title } = await read(
      'a.tex',
      String.raw`\documentclass{article}\title{Um t\'itulo}
\begin{document}\maketitle
\section{Introdu\c{c}\~ao}
A \textbf{forte} raz\~ao $E = mc^2$.\footnote{Ver \emph{anexo}.} % nada

\begin{itemize}
\item um
\item dois
\end{itemize}
\begin{tabular}{ll}
a & b \\ \hline
1 & 2 \\
\end{tabular}
\end{document}`,
    )
    expect(title?.normalize('NFC')).toBe('Um título')
    expect(blocks).toEqual([
      { kind: 'heading', level: 2, text: 'Introdução' },
      { kind: 'paragraph', text: 'A forte razão $E = mc^2$.' },
      { kind: 'footnote', text: 'Ver anexo.' },
      { kind: 'list-item', level: 0, text: 'um' },
      { kind: 'list-item', level: 0, text: 'dois' },
      {
        kind: 'table',
        rows: [
          ['a', 'b'],
          ['1', '2'],
        ],
        hasHeader: true,
      },
    ])
  })
})

describe('mail', () => {
  it('reads who wrote what to whom, in the plain form, and names what is attached', async () => {
    const { blocks, title } = await read(
      'a.eml',
      [
        'From: =?utf-8?Q?Jos=C3=A9?= <jose@a.example>',
        'To: b@b.example',
        'Subject: =?UTF-8?B?QcOnw6Nv?=',
        'Content-Type: multipart/mixed; boundary="x y"',
        '',
        '--x y',
        'Content-Type: multipart/alternative; boundary=z',
        '',
        '--z',
        'Content-Type: text/html',
        '',
        '<p>no</p>',
        '--z',
        'Content-Type: text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Ol=E1, tudo=',
        ' bem?',
        '--z--',
        '--x y',
        'Content-Type: application/pdf; name="lease.pdf"',
        'Content-Transfer-Encoding: base64',
        '',
        'JVBERi0=',
        '--x y--',
      ].join('\r\n'),
    )
    expect(title).toBe('Ação')
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: 'Ação' },
      { kind: 'paragraph', text: 'From: José <jose@a.example>\nTo: b@b.example' },
      { kind: 'paragraph', text: 'Olá, tudo bem?' },
      { kind: 'list-item', level: 0, text: 'lease.pdf' },
    ])
  })
})

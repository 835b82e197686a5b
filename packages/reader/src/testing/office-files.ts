// Small files of each archive format, for tests.
import { zipOf } from './files'

const relations = (entries: [id: string, type: string, target: string][]): string =>
  `<Relationships>${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`

const shape = (type: string, ...paragraphs: string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`

/** Two slides, of which the one that is listed first is the second file. */
export const pptx = (): Uint8Array =>
  zipOf({
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations([
      ['rId1', 'slide', 'slides/slide1.xml'],
      ['rId2', 'slide', 'slides/slide2.xml'],
    ]),
    'ppt/slides/slide2.xml': `<p:sld>${shape('title', 'Resultados')}${shape('body', 'Vendas em alta', 'Custos em baixa')}${shape('sldNum', '1')}</p:sld>`,
    'ppt/slides/_rels/slide2.xml.rels': relations([['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']]),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', 'Falar devagar')}</p:notes>`,
    'ppt/slides/slide1.xml': `<p:sld>${shape('title', 'Tabela')}<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Ano</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Total</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>2025</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>12</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame></p:sld>`,
  })

export const xlsx = (): Uint8Array =>
  zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Despesas" sheetId="1" r:id="rId7"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations([['rId7', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/sharedStrings.xml':
      '<sst><si><t>Data</t></si><si><r><t>Va</t></r><r><t>lor</t></r><rPh><t>x</t></rPh></si><si><t>Relatório</t></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>2</v></c></row><row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="s"><v>1</v></c></row>' +
      '<row r="4"><c r="B4" s="1"><v>45292</v></c><c r="D4"><f>0.1+0.2</f><v>0.30000000000000004</v></c></row><row r="5"><c r="B5" t="inlineStr"><is><t>ontem</t></is></c><c r="D5" t="b"><v>1</v></c></row></sheetData></worksheet>',
  })

const content = (body: string): string =>
  `<office:document-content><office:body>${body}</office:body></office:document-content>`
const opened = (kind: string, body: string): Uint8Array =>
  zipOf({ 'content.xml': content(body) }, { mimetype: `application/vnd.oasis.opendocument.${kind}` })

export const odt = (): Uint8Array =>
  opened(
    'text',
    '<office:text><text:h text:outline-level="2">Título</text:h><text:p>Um<text:s text:c="2"/>texto<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A nota.</text:p></text:note-body></text:note> aqui.</text:p>' +
      '<text:list><text:list-item><text:p>item</text:p><text:list><text:list-item><text:p>dentro</text:p></text:list-item></text:list></text:list-item></text:list>' +
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></office:text>',
  )
export const odp = (): Uint8Array =>
  opened(
    'presentation',
    '<office:presentation><draw:page><draw:frame><text:p>um</text:p></draw:frame></draw:page><draw:page><text:p>dois</text:p></draw:page></office:presentation>',
  )
export const ods = (): Uint8Array =>
  opened(
    'spreadsheet',
    '<office:spreadsheet><table:table table:name="Plano"><table:table-row><table:table-cell><text:p>mês</text:p></table:table-cell><table:table-cell><text:p>valor</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row><table:table-row><table:table-cell><text:p>maio</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet>',
  )

export const epub = (): Uint8Array =>
  zipOf(
    {
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>',
      'OEBPS/a.opf':
        '<package><metadata><dc:title>Dom Casmurro</dc:title></metadata><manifest><item id="b" href="b.xhtml"/><item id="c" href="text/c.xhtml"/></manifest><spine><itemref idref="c"/><itemref idref="b"/></spine></package>',
      'OEBPS/text/c.xhtml': '<html><body><h1>Do título</h1><p>Uma noite destas&#8230;</p></body></html>',
      'OEBPS/b.xhtml': '<html><body><h1>Do livro</h1><aside epub:type="footnote"><p>Nota.</p></aside></body></html>',
    },
    { mimetype: 'application/epub+zip' },
  )

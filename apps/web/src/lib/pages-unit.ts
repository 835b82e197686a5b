/** What the pages of a document are called, as in `sources.pages`: a table has sheets. */
export function pagesUnit(mediaType: string): 'pages' | 'sheets' | 'slides' {
  if (/sheet|excel/.test(mediaType)) return 'sheets'
  return /presentation|powerpoint/.test(mediaType) ? 'slides' : 'pages'
}

type PagesUnit = 'pages' | 'sheets' | 'slides'

/** What the pages of a document are called, as in `sources.pages`: a table has sheets. */
export function pagesUnit(mediaType: string): PagesUnit {
  if (/sheet|excel/.test(mediaType)) return 'sheets'
  return /presentation|powerpoint/.test(mediaType) ? 'slides' : 'pages'
}

/** The same where only its name is known, as of what an answer cites. */
export function pagesUnitOfName(name: string): PagesUnit {
  if (/\.(?:xlsx|ods)$/i.test(name)) return 'sheets'
  return /\.(?:pptx|odp)$/i.test(name) ? 'slides' : 'pages'
}

import { sourceExtensions } from '@parley/contract/limits/sources'

/** By what a name ends with, of files whose content alone does not tell. */
export const textMediaTypes: Record<string, string> = {
  ...Object.fromEntries(sourceExtensions.code.map((extension) => [extension, 'text/x-source'])),
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  vue: 'text/x-source',
  tex: 'application/x-tex',
  eml: 'message/rfc822',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

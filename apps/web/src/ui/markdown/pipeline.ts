import type { Options } from 'react-markdown'
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { markMisleading } from './hidden-characters'
import { liftPictures } from './lift-pictures'
import { linkUrl } from './link-url'
import { markCitations } from './mark-citations'
import { pictureUrl } from './picture-url'
import { placeFootnotes } from './place-footnotes'
import { showHtml } from './show-html'

/**
 * What an answer may consist of. The allowed classes are those by which formulas, code, tasks and footnotes are
 * recognised.
 */
const schema: Schema = {
  tagNames: [
    ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'hr', 'pre', 'div'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'img', 'em', 'strong', 'del', 'code', 'br', 'input'],
  ],
  attributes: {
    a: ['href', 'title', 'dataFootnote'],
    img: ['src', 'alt', 'title'],
    code: [['className', /^language-./, 'math-inline', 'math-display']],
    div: [['className', 'footnote'], 'dataFootnote'],
    li: [['className', 'task-list-item']],
    ul: [['className', 'contains-task-list']],
    ol: ['start', ['className', 'contains-task-list']],
    input: ['checked', 'disabled', ['type', 'checkbox']],
    td: ['align'],
    th: ['align'],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  ancestors: { thead: ['table'], tbody: ['table'], tr: ['table'], th: ['table'], td: ['table'], li: ['ul', 'ol'] },
  clobber: [],
  strip: ['script', 'style'],
}

export const remarkPlugins: NonNullable<Options['remarkPlugins']> = [
  [remarkGfm, { singleTilde: false }],
  remarkMath,
  showHtml,
  placeFootnotes,
]
export const rehypePlugins: NonNullable<Options['rehypePlugins']> = [
  [rehypeSanitize, schema],
  liftPictures,
  markMisleading,
  markCitations,
]

/** The second door behind the sanitiser: an address that is not wanted becomes empty, and its link plain text. */
export const safeUrl = (url: string, attribute: string): string =>
  (attribute === 'src' ? pictureUrl(url) : linkUrl(url)) ?? ''

/** No sentence has so many signs, and the parser's time grows with their square. */
const maxSigns = 600

export function isTooTangled(text: string): boolean {
  let signs = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // ! $ & * < @ [ \ ] _ ` ~
    if (
      code === 33 ||
      code === 36 ||
      code === 38 ||
      code === 42 ||
      code === 60 ||
      code === 64 ||
      (code >= 91 && code <= 96 && code !== 94) ||
      code === 126
    )
      signs += 1
  }
  return signs > maxSigns
}

// Reading the two forms of a mail, to compare what they say.

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
/** The addresses of an HTML mail's links. */
export const hrefs = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => unescaped(href))
/** The addresses in a mail's text. */
export const urlsIn = (text: string): string[] => text.match(/https?:\/\/\S+/g) ?? []
/** The words of a page, in order, without the name of the product, which stands above in one and below in the other. */
export const words = (text: string): string => text.replaceAll('Parley', ' ').replace(/\s+/g, ' ').trim()
/** The text of an HTML mail. */
export const bodyText = (html: string): string =>
  unescaped(html.replace(/^.*<body[^>]*>/s, '').replace(/<[^>]*>/g, ' '))

import type { WebCitation } from '../llm'

const maxCitations = 20
const maxContentLength = 2_000
const maxTitleLength = 255
const maxUrlLength = 2_000
const none: readonly WebCitation[] = []

/**
 * The pages that `annotations` of a piece of an answer name, as OpenAI and OpenRouter write them (`url_citation`). They
 * are strangers' texts: what has no address of the web is left out, what is long is cut.
 */
export function readCitations(annotations: unknown): readonly WebCitation[] {
  if (!Array.isArray(annotations)) return none
  return annotations.slice(0, maxCitations).flatMap((annotation) => readCitation(annotation) ?? [])
}

function readCitation(annotation: unknown): WebCitation | undefined {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || !isObject(annotation.url_citation))
    return undefined
  const { url, title, content } = annotation.url_citation
  if (typeof url !== 'string' || url.length > maxUrlLength || !URL.canParse(url)) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  const named = typeof title === 'string' ? title.trim().slice(0, maxTitleLength) : ''
  return {
    url,
    title: named || hostname,
    content: typeof content === 'string' ? content.slice(0, maxContentLength) : '',
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

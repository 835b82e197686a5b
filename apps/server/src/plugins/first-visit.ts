import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pages } from '@parley/contract/pages'
import accepts from 'accepts'
import type { FastifyRequest } from 'fastify'
import { madeOfFile, type StoredPage, storedPage } from './stored-page'

/** Set by the page of a first visit (apps/web/first-visit). */
const visitedCookie = 'parley-visited'

export type FirstVisitPages = { pageFor(request: FastifyRequest): Promise<StoredPage> | undefined }

/**
 * The page of a new chat as a browser gets it that has not been here, which is painted before any script of it has run:
 * nothing is stored that could change what it shows. In the language that the browser prefers, as it would choose it
 * itself. Undefined in a build without such pages.
 */
export function firstVisitPages(root: string): FirstVisitPages | undefined {
  const folder = join(root, 'first-visit')
  if (!existsSync(folder)) return undefined
  const languages = readdirSync(folder).flatMap((name) => /^(.+)\.html$/.exec(name)?.[1] ?? [])
  const made = new Map<string, () => Promise<StoredPage>>()
  return {
    pageFor(request) {
      if (request.url !== pages.chat || request.cookies[visitedCookie] !== undefined) return undefined
      const language = preferredOf(languages, accepts(request.raw).languages())
      if (language === undefined) return undefined
      const file = join(folder, `${language}.html`)
      // While another build takes the place of this one there may be none.
      const page = made.get(language) ?? (existsSync(file) ? madeOfFile(file, (text) => storedPage(text)) : undefined)
      if (page) made.set(language, page)
      return page?.()
    },
  }
}

/** As `public/first-screen.js` chooses: for each tag the same one, or one of the same base. */
function preferredOf(languages: readonly string[], tags: readonly string[]): string | undefined {
  const baseOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''
  const alike = (tag: string): string | undefined =>
    languages.find((each) => each.toLowerCase() === tag.toLowerCase()) ??
    languages.find((each) => baseOf(each) === baseOf(tag))
  const known = tags.map(alike).find((language) => language !== undefined)
  return known ?? languages.find((language) => language === 'en-US')
}

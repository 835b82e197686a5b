import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { product } from '@parley/contract/product'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../providers/escape-html'
import { allowInline, type InlineCode, inlineCodeOf } from './inline-code'
import { madeOfFile } from './stored-page'

declare module 'fastify' {
  interface FastifyInstance {
    /** The app's page with a head of its own, whose code this reply then allows; undefined without a build. */
    appPage(reply: FastifyReply, head: PageHead): string | undefined
  }
}

type PageHead = { title: string; description: string; address: string; image: string }

/** Lets a page of the app say what it is to whoever shows a link to it, which runs no scripts. */
export function registerAppPage(app: FastifyInstance, { root }: { root: string }): void {
  const file = join(root, 'index.html')
  const latest = existsSync(file) ? madeOfFile(file, pageWithoutHead) : undefined
  app.decorate('appPage', (reply, head) => {
    const { page, code } = latest?.() ?? {}
    if (code) allowInline(reply, code)
    return page?.replace(/<title>.*?<\/title>/s, () => tags(head))
  })
}

const pageWithoutHead = (text: string): { page: string; code: InlineCode } => ({
  page: text.replace(/<meta name="description"[^>]*>/, ''),
  code: inlineCodeOf(text),
})

function tags({ title, description, address, image }: PageHead): string {
  const [name, text, url, picture] = [title, description, address, image].map(escapeHtml)
  return [
    `<title>${name} · ${product.name}</title>`,
    `<meta name="description" content="${text}">`,
    `<link rel="canonical" href="${url}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:site_name" content="${product.name}">`,
    `<meta property="og:title" content="${name}">`,
    `<meta property="og:description" content="${text}">`,
    `<meta property="og:url" content="${url}">`,
    `<meta property="og:image" content="${picture}">`,
    `<meta property="og:image:alt" content="${name}">`,
    '<meta name="twitter:card" content="summary">',
  ].join('')
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { fullLanguages } from '@parley/contract/languages'
import { onTestFinished } from 'vitest'

const sitePages = ['home', 'about', 'roadmap', 'maintenance', 'terms', 'privacy', 'not-found']
/** A page with every kind of place that a server fills. */
const sitePage = (page: string, language: string): string =>
  `<!doctype html><title>${page} ${language}</title><link rel="canonical" href="{{origin}}/?lang=${language}">` +
  '<script>theme()</script><style>h1{}</style><script type="application/ld+json">{}</script>' +
  '<a href="{{app}}/app">App</a>{{?contact}}<ul>{{?supportEmail}}<li>{{supportEmail}}</li>{{/supportEmail}}</ul>{{/contact}}' +
  '{{?ownText}}{{ownText}}{{/ownText}}{{!ownText}}<p>What the software does</p>{{/ownText}}'

const files: Record<string, string> = {
  'index.html':
    '<!doctype html><html lang="en-US"><head><title>Parley</title><meta name="description" content="Chat." /></head></html>',
  'sw.js': 'self',
  'assets/app-1a2b.js': 'console.log(1)',
  'assets/pdf-worker-1a2b.js': 'console.log(1)',
  'icon.svg': '<svg/>',
}

/** The pages of a first visit, which are not compressed. */
const firstVisits = ['en-US', 'pt-BR', 'es-ES', 'fil-PH'].map((language): [string, string] => [
  `first-visit/${language}.html`,
  `<!doctype html><html lang="${language}"><head><title>Parley</title></head>` +
    '<script type="module" async>look()</script></html>',
])

type Options = { hasSite?: boolean; hasFirstVisits?: boolean }

/** What a build of the web app leaves, in little; removed when the test ends. */
export function aBuiltWeb({ hasSite = true, hasFirstVisits = false }: Options = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-web-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  for (const [name, content] of Object.entries(files)) {
    write(name, content)
    write(`${name}.br`, brotliCompressSync(content))
  }
  for (const [name, content] of hasFirstVisits ? firstVisits : []) write(name, content)
  for (const page of hasSite ? sitePages : [])
    for (const language of fullLanguages) write(`site-pages/${page}.${language}.html`, sitePage(page, language))
  return root
}

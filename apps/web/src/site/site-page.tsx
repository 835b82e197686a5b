import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { webLimits } from '@parley/contract/limits/web'
import { publicPages } from '@parley/contract/pages'
import { product } from '@parley/contract/product'
import type { ReactNode } from 'react'
import { SiteBar } from './site-bar'
import { SiteFooter } from './site-footer'
import { siteTexts } from './site-texts'
import { slot } from './slots'

/** The files that the build made for these pages. */
export type SiteFiles = {
  script: string
  styles: string[]
  fonts: string[]
  /**
   * What stands in the page itself instead of in files of its own, so that the first paint waits for nothing but the
   * page.
   */
  inlined?: { css: string; themeScript: string }
}

export const themeScript = '/theme-init.js'

export type PageContext = { language: FullLanguage; files: SiteFiles }

type Head = {
  language: FullLanguage
  title: string
  description: string
  /** Undefined: search engines are kept away. */
  path?: string | undefined
  structured?: object[]
}

/** Where this page stands in that language. */
const addressOf = (path: string, language?: FullLanguage): string =>
  `${slot('origin')}${path}${language === undefined ? '' : `?lang=${language}`}`

/** What machines read: search engines, and whoever shows a link with a title and a picture. */
export function HeadTags({ language, title, description, path, structured = [] }: Head) {
  const card = `${slot('origin')}/site/card.${language}.png`
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {path === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={addressOf(path, language)} />
          {fullLanguages.map((other) => (
            <link key={other} rel="alternate" hrefLang={other} href={addressOf(path, other)} />
          ))}
          <link rel="alternate" hrefLang="x-default" href={addressOf(path)} />
          <meta property="og:url" content={addressOf(path, language)} />
        </>
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={product.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={language.replace('-', '_')} />
      <meta property="og:image" content={card} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={siteTexts[language].home.heading.join(' ')} />
      <meta name="twitter:card" content="summary_large_image" />
      {structured.map((data) => (
        <StructuredData key={JSON.stringify(data)} data={data} />
      ))}
    </>
  )
}

function StructuredData({ data }: { data: object }) {
  const text = { __html: jsonIn(data) }
  // oxlint-disable react/no-danger
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what a script holds is not escaped as text is; see jsonIn.
  return <script type="application/ld+json" dangerouslySetInnerHTML={text} />
}

/** As a script element holds it: no `</script>` of a text ends it. */
const jsonIn = (data: object): string =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')

type Props = Omit<Head, 'language'> & {
  context: PageContext
  /** What the page is to the script. */
  kind: string
  children: ReactNode
  /** The bar shows what there is but leads nowhere. */
  isBarOff?: boolean
  isCentred?: boolean
}

/** A whole document: complete without scripts, which only make it livelier. */
export function SitePage({ context, kind, children, isBarOff = false, isCentred = false, ...head }: Props) {
  const { language, files } = context
  const { bar } = siteTexts[language]
  return (
    <html lang={language} data-theme="light">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fafaf6" />
        <script src={themeScript} />
        {files.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {files.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="" href={href} />
        ))}
        <HeadTags language={language} {...head} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-180.png" />
        <script type="module" src={files.script} />
      </head>
      <body data-page={kind} data-scroll-ms={webLimits.site.scrollDelayMs}>
        <a className="skip" href="#content">
          {bar.skip}
        </a>
        <div className={isCentred ? 'page centred' : 'page'}>
          <SiteBar language={language} isHome={head.path === publicPages.home} isOff={isBarOff} />
          <main id="content" tabIndex={-1}>
            {children}
          </main>
          <SiteFooter language={language} isOff={isBarOff} />
        </div>
      </body>
    </html>
  )
}

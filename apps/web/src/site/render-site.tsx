import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { pages, type publicPages } from '@parley/contract/pages'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from './landing'
import { AboutText, LegalPage, MaintenancePage, NotFoundPage } from './plain-pages'
import { RoadmapPage } from './roadmap-page'
import { HeadTags, type PageContext, type SiteFiles, themeScript } from './site-page'
import { siteTexts } from './site-texts'

const sitePages = {
  home: (context) => <LandingPage context={context} />,
  roadmap: (context) => <RoadmapPage context={context} />,
  maintenance: (context) => <MaintenancePage context={context} />,
  terms: (context) => <LegalPage context={context} kind="terms" />,
  privacy: (context) => <LegalPage context={context} kind="privacy" />,
  'not-found': (context) => <NotFoundPage context={context} />,
} satisfies Record<keyof typeof publicPages | 'not-found', (context: PageContext) => ReactElement>

/** The files of all public pages in each language, for the server to fill in. `appPage`: the HTML of the built app. */
export function renderSite(files: SiteFiles, appPage: string): { name: string; html: string }[] {
  return fullLanguages.flatMap((language) => [
    ...Object.entries(sitePages).map(([page, draw]) => ({
      name: `${page}.${language}.html`,
      html: inlined(`<!doctype html>${renderToStaticMarkup(draw({ language, files }))}`, files),
    })),
    { name: `about.${language}.html`, html: aboutPage(appPage, language) },
  ])
}

/** The server allows what stands in these pages by its digest. */
function inlined(html: string, { inlined: texts, styles }: SiteFiles): string {
  if (!texts) return html
  const sheets = styles.map((href) => `<link rel="stylesheet" href="${href}"/>`).join('')
  return html
    .replace(`<script src="${themeScript}"></script>`, () => `<script>${texts.themeScript}</script>`)
    .replace(sheets, () => `<style>${texts.css}</style>`)
}

/** The app draws /about, beside its sidebar. Before that, and without scripts, the page says the same. */
function aboutPage(appPage: string, language: FullLanguage): string {
  const { title, description } = siteTexts[language].about
  const head = renderToStaticMarkup(
    <HeadTags
      language={language}
      title={title}
      description={description}
      path={pages.about}
      structured={[{ '@type': 'AboutPage', name: title, inLanguage: language }]}
    />,
  )
  return appPage
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
    .replace(/<meta name="description"[^>]*>/, '')
    .replace(/<title>.*?<\/title>/s, () => head)
    .replace(
      '<div id="root">',
      () => `<noscript>${renderToStaticMarkup(<AboutText language={language} />)}</noscript><div id="root">`,
    )
}

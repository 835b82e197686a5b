import { configRoutes } from '@parley/contract/config'
import type { FullLanguage } from '@parley/contract/languages'
import { webLimits } from '@parley/contract/limits/web'
import { pages, publicPages } from '@parley/contract/pages'
import { MapPinOff, Wrench } from 'lucide-react'
import { Contact } from './site-footer'
import { type PageContext, SitePage } from './site-page'
import { siteTexts } from './site-texts'
import { IfGiven, IfMissing, slot } from './slots'

/** The operator's own text where there is one, else what the software does. */
export function LegalPage({ context, kind }: { context: PageContext; kind: 'terms' | 'privacy' }) {
  const { language } = context
  const texts = siteTexts[language][kind]
  return (
    <SitePage
      context={context}
      kind={kind}
      title={texts.title}
      description={texts.description}
      path={publicPages[kind]}
      structured={[{ '@type': 'WebPage', name: texts.heading, inLanguage: language }]}
    >
      <article className="prose">
        <h1>{texts.heading}</h1>
        <IfGiven name="ownText">{slot('ownText')}</IfGiven>
        <IfMissing name="ownText">
          <p className="note">{texts.note}</p>
          {texts.sections.map(({ title, text }) => (
            <section key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
        </IfMissing>
      </article>
    </SitePage>
  )
}

export function MaintenancePage({ context }: { context: PageContext }) {
  const texts = siteTexts[context.language].maintenance
  return (
    <SitePage
      context={context}
      kind="maintenance"
      title={texts.title}
      description={texts.description}
      isBarOff
      isCentred
    >
      <section className="notice" data-ask={configRoutes.get.path} data-every-ms={webLimits.site.maintenanceAskMs}>
        <Wrench className="notice-icon" size={40} aria-hidden />
        <h1>{texts.heading}</h1>
        <p>{texts.text}</p>
        <div className="buttons">
          <a className="button primary large" href={`${slot('app')}${pages.chat}`}>
            {texts.launch}
          </a>
          <a className="button large" href={`${slot('site')}${publicPages.home}`}>
            {texts.home}
          </a>
        </div>
      </section>
    </SitePage>
  )
}

/** Of every address that leads nowhere. The script leads to the start, unless somebody does something here. */
export function NotFoundPage({ context }: { context: PageContext }) {
  const texts = siteTexts[context.language].notFound
  const app = slot('app')
  return (
    <SitePage context={context} kind="not-found" title={texts.title} description={texts.description} isCentred>
      <section className="notice">
        <MapPinOff className="notice-icon" size={40} aria-hidden />
        <h1>{texts.heading}</h1>
        <p>{texts.text}</p>
        <nav aria-label={texts.places}>
          <ul className="places">
            <li>
              <a href={`${slot('site')}${publicPages.home}`}>{texts.home}</a>
            </li>
            <li>
              <a href={`${app}${pages.chat}`}>{texts.app}</a>
            </li>
            <li>
              <a href={`${app}${pages.assistants}`}>{texts.agents}</a>
            </li>
            <li>
              <a href={`${app}${pages.settings}`}>{texts.settings}</a>
            </li>
          </ul>
        </nav>
        <p className="leaving" data-leaving={publicPages.home} data-after-ms={webLimits.site.leaveUnknownMs} hidden>
          {texts.leaving}{' '}
          <button type="button" className="text-button" data-stay>
            {texts.stay}
          </button>
        </p>
      </section>
    </SitePage>
  )
}

/** What /about says before the app is there, and to whoever runs no scripts. */
export function AboutText({ language }: { language: FullLanguage }) {
  const texts = siteTexts[language].about
  const { footer } = siteTexts[language]
  return (
    <main>
      <h1>{texts.heading}</h1>
      <p>{texts.text}</p>
      <p>
        {texts.version} {slot('version')} · {texts.licence}
      </p>
      <p>
        <a href={`${slot('site')}${publicPages.home}`}>{siteTexts[language].notFound.home}</a> ·{' '}
        <a href={`${slot('site')}${publicPages.terms}`}>{footer.terms}</a> ·{' '}
        <a href={`${slot('site')}${publicPages.privacy}`}>{footer.privacy}</a>
      </p>
      <IfGiven name="contact">
        <Contact language={language} />
      </IfGiven>
    </main>
  )
}

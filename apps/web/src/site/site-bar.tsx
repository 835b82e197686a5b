import { type FullLanguage, fullLanguages } from '@parley/contract/languages'
import { pages, publicPages } from '@parley/contract/pages'
import { product } from '@parley/contract/product'
import { ArrowUpRight, ChevronDown, Menu, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Flag } from './flags'
import { SiteLogo } from './site-logo'
import { siteTexts } from './site-texts'
import { slot } from './slots'

type Props = {
  language: FullLanguage
  isHome: boolean
  /** During maintenance everything is there, and nothing leads anywhere. */
  isOff: boolean
}

/** The bar of every public page. Its two menus are `details`, which open without a script. */
export function SiteBar({ language, isHome, isOff }: Props) {
  const { bar } = siteTexts[language]
  const links = <BarLinks language={language} isHome={isHome} isOff={isOff} />
  return (
    <header className="bar">
      <SiteLink className="logo" href={`${slot('app')}${pages.chat}`} isOff={isOff}>
        <SiteLogo />
        {product.name}
      </SiteLink>
      <nav className="bar-links" aria-label={bar.label}>
        {links}
      </nav>
      <div className="bar-end">
        <LanguageMenu language={language} />
        <SiteLink className="button primary" href={`${slot('app')}${pages.chat}`} isOff={isOff}>
          {bar.launch}
        </SiteLink>
        <details className="menu" data-menu>
          <summary aria-label={bar.menu}>
            <Menu className="when-closed" aria-hidden />
            <X className="when-open" aria-hidden />
          </summary>
          <nav className="menu-sheet" aria-label={bar.menu}>
            {links}
          </nav>
        </details>
      </div>
    </header>
  )
}

function BarLinks({ language, isHome, isOff }: Props) {
  const { bar } = siteTexts[language]
  return (
    <ul>
      <li>
        <SiteLink href={`${slot('app')}${pages.about}`} isOff={isOff} isNewTab newTab={bar.newTab}>
          {bar.about}
        </SiteLink>
      </li>
      <li>
        <SectionLink id="capabilities" isHome={isHome} isOff={isOff}>
          {bar.capabilities}
        </SectionLink>
      </li>
      <li>
        <SectionLink id="faqs" isHome={isHome} isOff={isOff}>
          {bar.faq}
        </SectionLink>
      </li>
      <li>
        <SiteLink href={publicPages.roadmap} isOff={isOff}>
          {bar.roadmap}
        </SiteLink>
      </li>
    </ul>
  )
}

type SectionProps = { id: string; isHome: boolean; isOff: boolean; children: ReactNode }

/** Of the landing page, wherever the link stands. */
function SectionLink({ id, isHome, isOff, children }: SectionProps) {
  return (
    <SiteLink href={`${isHome ? '' : publicPages.home}#${id}`} isOff={isOff} {...(isHome ? {} : { section: id })}>
      {children}
    </SiteLink>
  )
}

function LanguageMenu({ language }: { language: FullLanguage }) {
  const texts = siteTexts[language]
  return (
    <details className="languages" data-menu>
      <summary aria-label={`${texts.bar.language}: ${texts.name}`}>
        <Flag language={language} />
        <span className="language-name">{texts.name}</span>
        <ChevronDown size={14} aria-hidden />
      </summary>
      <ul className="language-list">
        {fullLanguages.map((other) => (
          <li key={other}>
            <a
              href={`?lang=${other}`}
              lang={other}
              hrefLang={other}
              data-language={other}
              aria-current={other === language || undefined}
            >
              <Flag language={other} />
              {siteTexts[other].name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

type LinkProps = {
  href: string
  className?: string
  isOff?: boolean
  isNewTab?: boolean
  newTab?: string
  /** The part of the landing page that it leads to from another one. */
  section?: string
  children: ReactNode
}

/** A link without an address is disabled to everybody, with and without a pointer. */
export function SiteLink({ href, className, isOff = false, isNewTab = false, newTab, section, children }: LinkProps) {
  if (isOff) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a disabled link has no address.
      <a className={className} role="link" aria-disabled="true">
        {children}
      </a>
    )
  }
  return (
    <a
      className={className}
      href={href}
      data-section={section}
      {...(isNewTab ? { target: '_blank', rel: 'noopener' } : {})}
    >
      {children}
      {isNewTab && (
        <>
          <ArrowUpRight className="new-tab" size={14} aria-hidden />
          <span className="hidden"> ({newTab})</span>
        </>
      )}
    </a>
  )
}

import type { FullLanguage } from '@parley/contract/languages'
import { publicPages } from '@parley/contract/pages'
import { product } from '@parley/contract/product'
import type { SiteSlot } from '@parley/contract/site-slots'
import { SiteLink } from './site-bar'
import { SiteLogo } from './site-logo'
import { siteTexts } from './site-texts'
import { IfGiven, slot } from './slots'

const networks: [SiteSlot, string][] = [
  ['twitter', 'Twitter'],
  ['instagram', 'Instagram'],
  ['youtube', 'YouTube'],
  ['discord', 'Discord'],
]

/** Ways to reach the operator stand here only where there are any. */
export function SiteFooter({ language, isOff }: { language: FullLanguage; isOff: boolean }) {
  const { footer, bar } = siteTexts[language]
  return (
    <footer className="footer">
      <span className="logo">
        <SiteLogo />
        {product.name}
      </span>
      <nav aria-label={footer.label}>
        <ul>
          <li>
            <SiteLink href={publicPages.roadmap} isOff={isOff}>
              {bar.roadmap}
            </SiteLink>
          </li>
          <li>
            <SiteLink href={publicPages.terms} isOff={isOff}>
              {footer.terms}
            </SiteLink>
          </li>
          <li>
            <SiteLink href={publicPages.privacy} isOff={isOff}>
              {footer.privacy}
            </SiteLink>
          </li>
        </ul>
        <IfGiven name="contact">
          <Contact language={language} />
        </IfGiven>
      </nav>
    </footer>
  )
}

/** Where somebody helps, as the operator has set it. */
export function Contact({ language }: { language: FullLanguage }) {
  const { footer } = siteTexts[language]
  return (
    <div className="contact">
      <span>{footer.contact}</span>
      <ul>
        <IfGiven name="supportEmail">
          <li>
            <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>
          </li>
        </IfGiven>
        <IfGiven name="supportChatUrl">
          <li>
            <a href={slot('supportChatUrl')}>{footer.supportChat}</a>
          </li>
        </IfGiven>
        <IfGiven name="communityUrl">
          <li>
            <a href={slot('communityUrl')}>{footer.community}</a>
          </li>
        </IfGiven>
        {networks.map(([name, label]) => (
          <IfGiven key={name} name={name}>
            <li>
              <a href={slot(name)}>{label}</a>
            </li>
          </IfGiven>
        ))}
      </ul>
    </div>
  )
}

import type { FullLanguage } from '@parley/contract/languages'
import { pages, publicPages } from '@parley/contract/pages'
import { product } from '@parley/contract/product'
import { Cloud, Coins, Download, EyeOff, Lock, type LucideIcon, Minus, Plus, Users, WandSparkles } from 'lucide-react'
import { ChatPicture } from './chat-picture'
import { type PageContext, SitePage } from './site-page'
import { siteTexts } from './site-texts'
import { slot } from './slots'

const icons: Record<string, LucideIcon> = {
  lock: Lock,
  eye: EyeOff,
  wand: WandSparkles,
  coins: Coins,
  users: Users,
  export: Download,
}

/** The front door: what is true, and a picture of it that plays. */
export function LandingPage({ context }: { context: PageContext }) {
  const { language } = context
  const { home } = siteTexts[language]
  return (
    <SitePage
      context={context}
      kind="home"
      title={home.title}
      description={home.description}
      path={publicPages.home}
      structured={structuredData(language)}
    >
      <Hero language={language} />
      <ChatPicture language={language} />
      <Homes language={language} />
      <Capabilities language={language} />
      <Features language={language} />
      <Questions language={language} />
      <section className="closing">
        <p>{home.closing}</p>
        <LaunchButton language={language} />
      </section>
    </SitePage>
  )
}

function structuredData(language: FullLanguage): object[] {
  const { home } = siteTexts[language]
  const url = `${slot('origin')}${publicPages.home}?lang=${language}`
  return [
    {
      '@type': 'SoftwareApplication',
      name: product.name,
      description: home.description,
      applicationCategory: 'CommunicationApplication',
      operatingSystem: 'Web',
      inLanguage: language,
      url,
    },
    {
      '@type': 'FAQPage',
      inLanguage: language,
      mainEntity: home.faq.list.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    },
  ]
}

function LaunchButton({ language }: { language: FullLanguage }) {
  return (
    <a className="button primary large" href={`${slot('app')}${pages.chat}`}>
      {siteTexts[language].bar.launch}
    </a>
  )
}

function Hero({ language }: { language: FullLanguage }) {
  const { home } = siteTexts[language]
  return (
    <section className="hero">
      <p className="badge local">
        <Lock aria-hidden />
        {home.badge}
      </p>
      <h1>
        {home.heading.map((line) => (
          <span key={line}>{line} </span>
        ))}
      </h1>
      <p className="lead">{home.lead}</p>
      <div className="buttons">
        <LaunchButton language={language} />
        <a className="button large" href="#about">
          {home.how}
        </a>
      </div>
    </section>
  )
}

function Homes({ language }: { language: FullLanguage }) {
  const { about } = siteTexts[language].home
  return (
    <section id="about" className="homes" tabIndex={-1} aria-labelledby="about-heading">
      <div>
        <h2 id="about-heading">{about.heading}</h2>
        <p className="lead">{about.text}</p>
      </div>
      <dl>
        <div className="home local">
          <dt>
            <Lock aria-hidden />
            {about.device.title}
          </dt>
          <dd>{about.device.text}</dd>
        </div>
        <div className="home cloud">
          <dt>
            <Cloud aria-hidden />
            {about.cloud.title}
          </dt>
          <dd>{about.cloud.text}</dd>
        </div>
      </dl>
    </section>
  )
}

function Capabilities({ language }: { language: FullLanguage }) {
  const { capabilities } = siteTexts[language].home
  return (
    <section id="capabilities" tabIndex={-1} aria-labelledby="capabilities-heading">
      <h2 id="capabilities-heading">{capabilities.heading}</h2>
      <ul className="three">
        {capabilities.cards.map(({ icon, title, text }) => {
          const Icon = icons[icon] ?? Lock
          return (
            <li key={title} className="card">
              <Icon className="card-icon" aria-hidden />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Features({ language }: { language: FullLanguage }) {
  const { features } = siteTexts[language].home
  return (
    <section id="features" className="features" tabIndex={-1} aria-labelledby="features-heading">
      <h2 id="features-heading">{features.heading}</h2>
      <dl>
        {features.list.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Questions({ language }: { language: FullLanguage }) {
  const { faq } = siteTexts[language].home
  return (
    <section id="faqs" tabIndex={-1} aria-labelledby="faqs-heading">
      <h2 id="faqs-heading">{faq.heading}</h2>
      <div className="faqs">
        {faq.list.map(({ question, answer }, place) => (
          <details key={question} open={place === 0}>
            <summary>
              <h3>{question}</h3>
              <Plus className="when-closed" aria-hidden />
              <Minus className="when-open" aria-hidden />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}

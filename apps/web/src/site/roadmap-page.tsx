import type { FullLanguage } from '@parley/contract/languages'
import { publicPages } from '@parley/contract/pages'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import * as z from 'zod/mini'
import facts from './roadmap.json'
import { type PageContext, SitePage } from './site-page'
import { type SiteTexts, siteTexts } from './site-texts'

type Texts = SiteTexts['roadmap']
const inEachLanguage = z.record(z.enum(['en-US', 'pt-BR', 'es-ES']), z.string())
/** A text of these pages by its name, or one that comes with the facts. */
const named = <Id extends string>(ids: readonly Id[]) => z.union([z.enum(ids as [Id, ...Id[]]), inEachLanguage])

const itemIds = ['webApp', 'marketplace', 'mobileApp'] as const satisfies (keyof Texts['items'])[]
const milestoneIds = ['firstVersion', 'agents', 'sharing', 'credits'] as const satisfies (keyof Texts['milestones'])[]

/** What the page says comes from roadmap.json alone: it shows what that file has, and nothing that it has not. */
export const RoadmapFacts = z.object({
  /** One sentence about the journey so far. */
  statement: z.nullable(inEachLanguage),
  items: z.array(z.object({ id: z.enum(itemIds), state: z.enum(['completed', 'inProgress', 'backlog']) })),
  milestones: z.array(z.object({ id: named(milestoneIds), date: z.string() })),
})
export type RoadmapFacts = z.infer<typeof RoadmapFacts>

type Props = { context: PageContext; roadmap?: RoadmapFacts }

export function RoadmapPage({ context, roadmap = z.parse(RoadmapFacts, facts) }: Props) {
  const { language } = context
  const texts = siteTexts[language].roadmap
  return (
    <SitePage
      context={context}
      kind="roadmap"
      title={texts.title}
      description={texts.description}
      path={publicPages.roadmap}
      structured={[{ '@type': 'WebPage', name: texts.heading, inLanguage: language }]}
    >
      <section className="hero small">
        <h1>{texts.heading}</h1>
        <p className="lead">{roadmap.statement?.[language] ?? texts.lead}</p>
      </section>
      <Cards texts={texts} items={roadmap.items} />
      <Journey language={language} milestones={roadmap.milestones} />
    </SitePage>
  )
}

/** Three beside each other; on narrow screens one after the other, moved by hand or by the two buttons. */
function Cards({ texts, items }: { texts: Texts; items: RoadmapFacts['items'] }) {
  return (
    <section aria-labelledby="cards-heading">
      <h2 id="cards-heading" className="hidden">
        {texts.cards}
      </h2>
      <ul className="three swiper" aria-labelledby="cards-heading" data-swiper data-scrolls>
        {items.map(({ id, state }) => (
          <li key={id} className="card">
            <span className={`badge ${{ completed: 'good', inProgress: 'warn', backlog: 'plain' }[state]}`}>
              {texts.states[state]}
            </span>
            <h3>{texts.items[id].title}</h3>
            <p>{texts.items[id].text}</p>
          </li>
        ))}
      </ul>
      <div className="swiper-buttons" data-swiper-buttons data-of={texts.of} hidden>
        <button type="button" className="button icon" data-swiper-previous aria-label={texts.previous}>
          <ChevronLeft aria-hidden />
        </button>
        <span data-swiper-place aria-live="polite" />
        <button type="button" className="button icon" data-swiper-next aria-label={texts.next}>
          <ChevronRight aria-hidden />
        </button>
      </div>
    </section>
  )
}

function Journey({ language, milestones }: { language: FullLanguage; milestones: RoadmapFacts['milestones'] }) {
  const texts = siteTexts[language].roadmap
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return (
    <section aria-labelledby="journey-heading">
      <h2 id="journey-heading" className="small">
        {texts.journey}
      </h2>
      <ol className="journey">
        {milestones.map(({ id, date }) => {
          const text = typeof id === 'string' ? texts.milestones[id] : (id[language] ?? '')
          return (
            <li key={text}>
              {/* A month is written as 2026-11. */}
              <time dateTime={date}>{(date.length > 7 ? days : months).format(new Date(date))}</time>
              <span className="journey-mark" />
              <b>{text}</b>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { files, pageOf, parsed, textOf } from '../testing/site-pages'
import { type RoadmapFacts, RoadmapPage } from './roadmap-page'

describe('the roadmap', () => {
  it('has its three cards with their states, and the timeline, from one file of facts [CH-013, ST-213, ST-216]', () => {
    const document = pageOf('roadmap')
    const cards = [...document.querySelectorAll('[data-swiper] > li')]
    expect(
      cards.map((card) => [card.querySelector('h3')?.textContent, card.querySelector('.badge')?.textContent]),
    ).toEqual([
      ['A decentralized web app', 'Completed'],
      ['An AI agents marketplace', 'In progress'],
      ['A mobile native app', 'Backlog'],
    ])
    expect(textOf(document, '[data-swiper] > li:nth-child(2)')).toMatch(/created.*Selling/)
    expect(document.querySelectorAll('.journey time').length).toBeGreaterThan(2)
  })

  it('shows the milestones and the statement that the facts have, and invents none [ST-214, ST-215]', () => {
    const said = (text: string) => ({ 'en-US': text, 'pt-BR': text, 'es-ES': text })
    const roadmap: RoadmapFacts = {
      statement: said('300,000+ users in late 2023'),
      items: [],
      milestones: [
        { id: said('First prototype'), date: '2023-05' },
        { id: said('Marketplace begins'), date: '2024-12' },
      ],
    }
    const document = parsed(
      renderToStaticMarkup(<RoadmapPage context={{ language: 'en-US', files }} roadmap={roadmap} />),
    )
    expect(textOf(document, '.hero')).toContain('300,000+ users in late 2023')
    expect([...document.querySelectorAll('.journey li')].map((entry) => entry.textContent)).toEqual([
      'May 2023First prototype',
      'Dec 2024Marketplace begins',
    ])
    expect(textOf(pageOf('roadmap'))).not.toMatch(/300,000|2023|2024/)
  })

  it('leads back to the sections of the landing page [ST-209]', () => {
    const links = [...pageOf('roadmap').querySelectorAll('.bar-links a[data-section]')]
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('data-section')])).toEqual([
      ['/#capabilities', 'capabilities'],
      ['/#faqs', 'faqs'],
    ])
  })
})

import { agentLanguages } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { describe, expect, it } from 'vitest'
import { productAgents } from '.'

const categories = ['General', 'Writing', 'Work', 'Study', 'Code', 'Data', 'Life', 'Ideas']
/** What is short is no real instruction. */
const minPrompt = 600
/** A card shows no more of it. */
const maxRole = 79
const longest = { role: maxRole, about: limits.agents.about, prompt: limits.agents.prompt, defaultGreetings: limits.agents.greeting }
const parts = ['role', 'about', 'prompt', 'defaultGreetings'] as const

describe("the team's agents", () => {
  it('are at least 24, the general assistant first', () => {
    expect(productAgents.length).toBeGreaterThanOrEqual(24)
    const [first] = productAgents
    expect(first).toMatchObject({ id: 'product-parley', name: 'Parley' })
    for (const language of agentLanguages) expect(first?.texts[language].role).toBe('Super Chat')
  })

  it('differ in id, name and face', () => {
    for (const key of ['id', 'name', 'face'] as const) {
      expect(new Set(productAgents.map((agent) => agent[key])).size, key).toBe(productAgents.length)
    }
  })

  describe.each(productAgents.map((agent) => ({ agent, id: agent.id })))('$id', ({ agent }) => {
    it('has a lasting id, a short name and a known category', () => {
      expect(agent.id).toMatch(/^product-[a-z]+(-[a-z]+)*$/)
      expect(agent.name.length).toBeGreaterThan(0)
      expect(agent.name.length).toBeLessThanOrEqual(limits.agents.name)
      expect(categories).toContain(agent.category)
      expect(agent.face).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(agent.face.length).toBeLessThanOrEqual(limits.agents.maxFaceSeed)
    })

    it.each(agentLanguages)('has every text within its limits in %s', (language) => {
      const texts = agent.texts[language]
      for (const part of parts) {
        expect(texts[part].trim(), part).toBe(texts[part])
        expect(texts[part].length, part).toBeGreaterThan(0)
        expect(texts[part].length, part).toBeLessThanOrEqual(longest[part])
        expect(texts[part], part).not.toMatch(/\p{Extended_Pictographic}/u)
      }
      expect(texts.prompt.length).toBeGreaterThanOrEqual(minPrompt)
      expect(texts.prompt).toContain(agent.name)
      expect(texts.defaultGreetings).toContain(agent.name)
      expect(texts.defaultGreetings).toContain('?')
    })

    it('says each thing in each language in its own words', () => {
      // The heading of the general assistant is the same everywhere.
      const own = agent.id === 'product-parley' ? parts.filter((part) => part !== 'role') : parts
      for (const part of own) {
        expect(new Set(agentLanguages.map((language) => agent.texts[language][part])).size, part).toBe(agentLanguages.length)
      }
    })
  })
})

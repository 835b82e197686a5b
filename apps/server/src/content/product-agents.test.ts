import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentLanguages } from '@parley/contract/agents'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ContentError, readProductAgents } from './product-agents'

const productAgents = readProductAgents()
const categories = ['General', 'Writing', 'Work', 'Study', 'Code', 'Data', 'Life', 'Ideas']
const longest = {
  role: serverLimits.agents.maxProductRole,
  about: limits.agents.about,
  prompt: limits.agents.prompt,
  defaultGreetings: limits.agents.greeting,
}
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
      expect(agent.face.length).toBeLessThanOrEqual(serverLimits.agents.maxFaceSeed)
    })

    it.each(agentLanguages)('has every text within its limits in %s', (language) => {
      const texts = agent.texts[language]
      for (const part of parts) {
        expect(texts[part].trim(), part).toBe(texts[part])
        expect(texts[part].length, part).toBeGreaterThan(0)
        expect(texts[part].length, part).toBeLessThanOrEqual(longest[part])
        expect(texts[part], part).not.toMatch(/\p{Extended_Pictographic}/u)
      }
      expect(texts.prompt.length).toBeGreaterThanOrEqual(serverLimits.agents.minProductPrompt)
      expect(texts.prompt).toContain(agent.name)
      expect(texts.defaultGreetings).toContain(agent.name)
      expect(texts.defaultGreetings).toContain('?')
    })

    it('says each thing in each language in its own words', () => {
      // The heading of the general assistant is the same everywhere.
      const own = agent.id === 'product-parley' ? parts.filter((part) => part !== 'role') : parts
      for (const part of own) {
        expect(new Set(agentLanguages.map((language) => agent.texts[language][part])).size, part).toBe(
          agentLanguages.length,
        )
      }
    })
  })
})

describe('their files', () => {
  type Change = [file: string, change: (text: string) => string]

  /** A copy of the folder with changed files. */
  function aFolder(...changes: Change[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'parley-agents-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(new URL('./agents', import.meta.url), folder, { recursive: true })
    for (const [file, change] of changes) {
      const path = join(folder, file)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    }
    return folder
  }

  const replace =
    (part: string | RegExp, other: string): Change[1] =>
    (text) => {
      expect(text).toMatch(part)
      return text.replace(part, other)
    }

  function faultsOf(...changes: Change[]): string[] {
    try {
      readProductAgents(aFolder(...changes))
    } catch (error) {
      expect(error).toBeInstanceOf(ContentError)
      return error instanceof Error ? error.message.split('\n') : []
    }
    return []
  }

  it('give the order of the list by one of them', () => {
    const folder = aFolder(['order.yaml', (text) => `- web\n${text.replace('- web\n', '')}`])
    expect(readProductAgents(folder).map(({ name }) => name)).toEqual([
      'Luca',
      ...productAgents.map(({ name }) => name).filter((name) => name !== 'Luca'),
    ])
  })

  it('may have the line ends of Windows', () => {
    const toWindows = (text: string) => text.replaceAll('\n', '\r\n')
    const folder = aFolder(['web.md', toWindows], ['order.yaml', toWindows])
    expect(readProductAgents(folder)).toEqual(productAgents)
  })

  it('may have headings of the third level within a text', () => {
    const folder = aFolder(['web.md', replace('How you work', '### How you work')])
    const luca = readProductAgents(folder).find(({ name }) => name === 'Luca')
    expect(luca?.texts.en.prompt).toContain('\n### How you work\n')
  })

  it('are refused with every fault at once, each with its file and field', () => {
    expect(
      faultsOf(
        ['web.md', replace('name: Luca', `name: ${'L'.repeat(31)}`)],
        ['web.md', replace('category: Code', 'category: Codes')],
        ['web.md', replace('face: luca', 'face: lu ca')],
        ['web.md', replace('# es', '# fr')],
        ['shell.md', replace('id: product-', 'id: ')],
        ['shell.md', replace('face:', 'seed:')],
        ['shell.md', replace(/## role\n\n.*/, `## role\n\n${'r'.repeat(80)}`)],
        ['shell.md', replace(/## about\n\n.*/, '## about')],
        ['shell.md', replace(/(# pt.*?## prompt\n).*?(?=\n## )/s, '$1\nToo short.\n')],
      ),
    ).toEqual([
      'shell.md: id: must be "product-" and lower-case words with hyphens',
      'shell.md: face: Invalid input: expected string, received undefined',
      'shell.md: texts.en.role: Too big: expected string to have <=79 characters',
      'shell.md: texts.en.about: Too small: expected string to have >=1 characters',
      'shell.md: texts.pt.prompt: Too small: expected string to have >=600 characters',
      'shell.md: Unrecognized key: "seed"',
      'web.md: name: Too big: expected string to have <=30 characters',
      `web.md: category: Invalid option: expected one of ${categories.map((category) => `"${category}"`).join('|')}`,
      'web.md: face: must be letters, digits, hyphens and underscores',
      'web.md: texts.es: Invalid input: expected object, received undefined',
      'web.md: texts: Unrecognized key: "fr"',
    ])
  })

  it.each<[fault: string, change: Change]>([
    ['web.md: must begin with its fields between two lines of "---"', ['web.md', replace('---\n', '')]],
    [
      'web.md: Nested mappings are not allowed in compact mappings at line 3, column 7',
      ['web.md', replace('name: Luca', 'name: Luca: one')],
    ],
    ['web.md: there is text before the first heading "# …": Luca', ['web.md', replace('# en', 'Luca\n\n# en')]],
    ['web.md: there is text before the first heading "## …": Luca', ['web.md', replace('## role', 'Luca\n\n## role')]],
    ['web.md: has two headings "# en"', ['web.md', replace('# pt', '# en')]],
    ['web.md: has two headings "## role"', ['web.md', replace('## about', '## role')]],
    [
      'web.md: id: must be "product-" and the name of the file',
      ['web.md', replace('id: product-web', 'id: product-net')],
    ],
    ['web.md: name: another agent has it', ['web.md', replace('name: Luca', 'name: Vera')]],
    ['web.md: face: another agent has it', ['web.md', replace('face: luca', 'face: vera')]],
    ['web.md: is not in order.yaml', ['order.yaml', replace('- web\n', '')]],
    ['order.yaml: web.md is there twice', ['order.yaml', replace('- web\n', '- web\n- web\n')]],
    ['order.yaml: there is no file net.md', ['order.yaml', replace('- web\n', '- web\n- net\n')]],
    ['order.yaml: Invalid input: expected array, received string', ['order.yaml', () => 'web']],
  ])('are refused with: %s', (fault, change) => {
    expect(faultsOf(change)).toEqual([fault])
  })
})

import { cleanup } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import texts from '../../i18n/en-US/markdown.json'
import { addTexts } from '../../i18n/interface-language'
import { show, stream } from '../../testing/markdown'

beforeAll(() => {
  addTexts('en-US', { markdown: texts })
})
afterEach(cleanup)

describe('Markdown', () => {
  it('draws headings one step down, lists, tasks, tables and quotes', () => {
    const { container, getByRole } = show(
      '# Title\n\n1. a\n   - b\n2. ~~c~~\n\n- [x] done\n- [ ] open\n\n> q\n\n| n | v |\n|---|--:|\n| a<br>b | 2 |',
    )
    expect(getByRole('heading', { level: 2 }).textContent).toBe('Title')
    expect(container.querySelector('ol > li > ul > li')?.textContent).toBe('b')
    expect(container.querySelector('del')?.textContent).toBe('c')
    expect(getByRole('checkbox', { name: 'Done' })).toHaveProperty('checked', true)
    expect(container.querySelector('td br')).not.toBeNull()
    expect(container.querySelector<HTMLElement>('td:last-child')?.style.textAlign).toBe('right')
    const scroller = getByRole('group', { name: 'Table' })
    expect(scroller.tabIndex).toBe(0)
  })

  it('draws formulas, and the source of one that has a mistake or is not closed; money is not a formula', async () => {
    const { container } = show(
      'Euler: $e^{i\\pi}$ and \\(a+b\\)\n\n$$\n\\frac{1}{2}\n$$\n\n\\[ x^2 \\]\n\n$$\n\\notacommand{\n$$\n\nbetween $5 and $10, R$ 3\n\n$$\nopen',
    )
    await vi.waitFor(() => expect(container.querySelectorAll('.katex').length).toBe(4), { timeout: 10_000 })
    expect(container.querySelectorAll('.katex-display').length).toBe(2)
    expect(container.querySelector('.katex-error')).toBeNull()
    expect(container.textContent).toContain('\\notacommand{')
    expect(container.textContent).toContain('between $5 and $10, R$ 3')
    expect(container.textContent).toContain('$$\nopen')
  })

  it('draws no formula that is longer than 10 kB, asks for a link or expands without end', async () => {
    const bombs = [
      'x+'.repeat(6_000),
      '\\href{javascript:alert(1)}{x}',
      '\\def\\a{\\a\\a}\\a',
      '{'.repeat(4_000),
      '\\includegraphics{https://evil.example/x.png}',
      '\\htmlStyle{position:fixed}{x}',
    ]
    const { container } = show(`$a$\n\n${bombs.map((tex) => `$$\n${tex}\n$$`).join('\n\n')}`)
    await vi.waitFor(() => expect(container.querySelector('.katex')).not.toBeNull(), { timeout: 10_000 })
    expect(container.querySelector('a, img, [href], [style*="fixed"]')).toBeNull()
    expect(container.querySelectorAll('.katex-display').length).toBeLessThanOrEqual(3)
  })

  it('colours code by its language and copies all of it', async () => {
    const { container, getByRole } = show('```ts\nconst a = 1 // note\n\nfoo("b")\n```')
    await vi.waitFor(() => expect(container.querySelectorAll('pre span span').length).toBeGreaterThan(3), {
      timeout: 20_000,
    })
    expect(container.querySelector('pre')?.textContent).toBe('const a = 1 // note\n\nfoo("b")\n')
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await userEvent.click(getByRole('button', { name: 'Copy' }))
    expect(written).toHaveBeenCalledWith('const a = 1 // note\n\nfoo("b")')
    await vi.waitFor(() => expect(container.querySelector('[aria-live]')?.textContent).toBe('Copied'))
    await userEvent.click(getByRole('button', { name: 'Wrap lines', pressed: false }))
    expect(getByRole('button', { name: 'Wrap lines', pressed: true })).toBeTruthy()
  })

  it('colours streamed code as its lines arrive, in many languages', async () => {
    const { container } = stream(
      '```python\ndef f(x):\n    return "a"\n```\n\n```fee.rs\nfn main() {}\n```\n\n```sql\nselect 1 from t;\n```\n\n```nothing\nplain\n```',
      [7],
    )
    await vi.waitFor(
      () =>
        expect([...container.querySelectorAll('pre')].map((code) => code.querySelector('span span') !== null)).toEqual([
          true,
          true,
          true,
          false,
        ]),
      { timeout: 20_000 },
    )
  })

  it('colours code that streams in as code that was there at once, also in a list and below a line that is cut on screen', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    const code = 'const s = `a ${b +\n  1} c` // note\nlet d = 2\n'
    const text = `- item\n\n  \`\`\`ts\n${code.replaceAll(/^(?=.)/gm, '  ')}  \`\`\`\n\nText.\n\n\`\`\`ts\n// ${'x'.repeat(6_000)}\n${code}\`\`\`\n`
    const colours = (container: HTMLElement) => [...container.querySelectorAll('pre')].map((pre) => pre.innerHTML)
    const atOnce = show(text)
    await vi.waitFor(
      () => expect(colours(atOnce.container).every((html) => html.includes('// note</span>'))).toBe(true),
      { timeout: 20_000 },
    )
    const streamed = stream(text, [7, 11, 3])
    await vi.waitFor(() => expect(colours(streamed.container)).toEqual(colours(atOnce.container)), { timeout: 20_000 })
  })

  it('marks in code what cannot be seen, and in sentences what turns or hides their words; the copy is what came', async () => {
    const bidi = 'if (isAdmin) {\u2066 // \u202E begin\u200B'
    const { container, getAllByRole } = show(
      `Say \u202Eolleh\u202C, \u2067שלום\u2069 and\u{E0041}. \`a\u200Db\`\n\n\`\`\`nothing\n${bidi}\n\`\`\`\n\n\`\`\`ts\n${bidi}\n\`\`\`\n`,
    )
    expect(container.querySelector('p')?.textContent).toBe(
      'Say [U+202E]olleh\u202C, \u2067שלום\u2069 and[U+E0041]. aU+200Db',
    )
    await vi.waitFor(
      () => expect(container.querySelectorAll('pre')[1]?.querySelectorAll('span span').length).toBeGreaterThan(4),
      { timeout: 20_000 },
    )
    for (const pre of container.querySelectorAll('pre')) {
      expect(pre.textContent).toBe('if (isAdmin) {U+2066 // U+202E beginU+200B\n')
      expect([...pre.querySelectorAll(`[class*=hiddenCharacter]`)].map((mark) => mark.textContent)).toEqual([
        'U+2066',
        'U+202E',
        'U+200B',
      ])
    }
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await userEvent.click(getAllByRole('button', { name: 'Copy' }).at(-1) as Element)
    expect(written).toHaveBeenCalledWith(bidi)
  })

  it('follows references and footnotes across blocks', async () => {
    const { container, getByRole } = show(
      'See [the law][law] and this[^1].\n\nMore.\n\n[law]: https://example.org/law\n\n[^1]: The note.\n',
    )
    expect(container.querySelector('a')?.getAttribute('href')).toBe('https://example.org/law')
    await userEvent.click(getByRole('button', { name: 'Footnote 1' }))
    expect(document.activeElement?.textContent).toContain('The note.')
  })

  it('completes what is still being written', () => {
    const { container } = show('This is **bo', true)
    expect(container.querySelector('strong')?.textContent).toBe('bo')
  })

  it('lets text of any direction stand as it is read', () => {
    const { container } = show('مرحبا بالعالم\n\n漢字 😀')
    expect(container.querySelector('p')?.dir).toBe('auto')
    expect(container.textContent).toBe('مرحبا بالعالم漢字 😀')
  })

  it('decodes entities', () => {
    expect(show('a &amp; b &copy; &unknown; `&amp;`').container.textContent).toBe('a & b © &unknown; &amp;')
  })
})

describe('A link', () => {
  it('opens in a tab of its own without a referrer', () => {
    const link = show('[a](https://example.org/x)').getByRole('link')
    expect([link.getAttribute('target'), link.getAttribute('rel'), link.title]).toEqual([
      '_blank',
      'noopener noreferrer nofollow',
      'example.org',
    ])
  })

  it('shows the real host when its words name another', () => {
    const { container } = show(
      '[https://bank.example](https://evil.example/x) [bank.example](https://evil.example) <https://bank.example@evil.example> [bank.example](https://bank.example/in)',
    )
    expect([...container.querySelectorAll('a')].map((link) => link.textContent?.includes('(evil.example)'))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('is plain text unless it leads to the web or to mail, in every form of Markdown', () => {
    const addresses = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#10;script:alert(1)',
      '&#106;avascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      'ftp://x',
      '//evil.example',
      '/api/x',
      '#fragment',
    ]
    const text = addresses
      .map(
        (address, index) =>
          `[a](${address}) [a](<${address}>) [b][r${index}] <${address}> ![c](${address})\n\n[r${index}]: ${address}`,
      )
      .join('\n\n')
    expect(show(text).container.querySelectorAll('a, img').length).toBe(0)
    expect(show('[m](mailto:a@example.org)').container.querySelector('a')?.getAttribute('href')).toBe(
      'mailto:a@example.org',
    )
  })
})

describe('A picture', () => {
  it('of the web is not loaded: its host, its words and a link that opens it elsewhere are shown', () => {
    const { container, getByRole } = show(
      '![A chart](https://evil.example/x.png?q=secret)\n\n[![badge](https://evil.example/b.svg)](https://example.org)',
    )
    expect(container.querySelector('img')).toBeNull()
    expect(container.textContent).toContain('A chart')
    expect(container.textContent).toContain('evil.example')
    expect(container.querySelector('a a')).toBeNull()
    const [load] = container.querySelectorAll('a')
    expect([load?.textContent, load?.rel, load?.target]).toEqual([
      'Load picture',
      'noopener noreferrer nofollow',
      '_blank',
    ])
    expect(getByRole('link', { name: 'https://example.org' })).toBeTruthy()
  })

  it('inside the answer is shown when it is of pixels, never when it is SVG or HTML', () => {
    const png =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const { container } = show(
      `![p](${png})\n\ntext ![p](${png})\n\n![s](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)\n\nx ![s](data:image/svg+xml,<svg/onload=alert(1)>)\n\n![h](data:text/html;base64,AAAA)`,
    )
    expect([...container.querySelectorAll('img')].map((image) => image.src.slice(0, 15))).toEqual([
      'data:image/png;',
      'data:image/png;',
    ])
  })
})

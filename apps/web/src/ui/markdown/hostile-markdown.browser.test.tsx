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

describe('A hostile answer', () => {
  const attacks = [
    '<script>window.hacked = 1</script>',
    '<img src=x onerror="window.hacked=1">',
    '<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>',
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
    '<a href="javascript:window.hacked=1">x</a>',
    '<style>body{display:none}</style>',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<base href="https://evil.example/">',
    '<form action="https://evil.example"><input name=a><button>x</button></form>',
    '<details open ontoggle="window.hacked=1">',
    '<math><mtext></mtext><mglyph><style><img src=x onerror=window.hacked=1></style></mglyph></math>',
    '<link rel=stylesheet href=https://evil.example/x.css>',
    '<object data="https://evil.example"></object>',
    '<video src=https://evil.example autoplay></video>',
    '<!-- <img src=x onerror=window.hacked=1> -->',
    '<p style="background:url(https://evil.example/x)">x</p>',
    '```"><img src=x onerror=window.hacked=1>\ncode\n```',
    '![x](https://evil.example/"onerror="window.hacked=1)',
    '[x](https://evil.example/"onmouseover="window.hacked=1)',
    '$\\href{javascript:window.hacked=1}{x}$',
    '[a]: javascript:window.hacked=1\n\n[a]',
    '| <img src=x onerror=window.hacked=1> |\n|---|\n| <script>window.hacked=1</script> |',
  ]

  it('runs no script, brings no HTML and sends no request, in whole or in pieces', async () => {
    const before = performance.getEntriesByType('resource').length
    for (const text of [
      attacks.join('\n\n'),
      attacks.map((attack) => `- ${attack}`).join('\n'),
      attacks.map((attack) => `> text ${attack}`).join('\n\n'),
    ]) {
      for (const { container } of [show(text), stream(text, [3])]) {
        expect(
          container.querySelectorAll(
            'script, style, iframe, object, embed, video, meta, base, form, link, img, details, [onerror], [onload], [onmouseover], [src], [srcdoc], [action]',
          ).length,
        ).toBe(0)
        expect(container.textContent).toContain('<script>window.hacked = 1</script>')
      }
    }
    // What a script or an image asked for has begun before this has ended.
    await fetch(location.href)
    expect(window).not.toHaveProperty('hacked')
    const requests = performance
      .getEntriesByType('resource')
      .slice(before)
      .filter((entry) => !entry.name.startsWith(location.origin))
    expect(requests.map((entry) => entry.name)).toEqual([])
  })

  it('of 1 MB on one line stays a bounded page that can be read on', async () => {
    const { container, findByRole } = show('word '.repeat(200_000))
    await vi.waitFor(() => expect(container.querySelectorAll('p').length).toBeGreaterThan(100), { timeout: 30_000 })
    expect(container.querySelectorAll('*').length).toBeLessThan(2_000)
    expect(await findByRole('button', { name: 'Show more' })).toBeTruthy()
  })

  it('with a table of 10,000 rows shows a page of them at a time', async () => {
    const { container, getByRole } = stream(
      `| a | b |\n|---|---|\n${Array.from({ length: 10_000 }, (_, row) => `| ${row} | x |`).join('\n')}`,
      [20_000],
    )
    await vi.waitFor(() => expect(container.textContent).toContain('Rows 1 to 100 of 10,000'), { timeout: 10_000 })
    expect(container.querySelectorAll('tbody tr').length).toBe(100)
    await userEvent.click(getByRole('button', { name: 'Next rows' }))
    expect(container.querySelector('tbody td')?.textContent).toBe('100')
  })

  it('of 50,000 tokens of code draws colours only near the screen', async () => {
    const { container } = stream(`\`\`\`ts\n${"const value = compute(1, 'text') // note\n".repeat(5_000)}`, [4_000])
    await vi.waitFor(() => expect(container.querySelectorAll('pre span span').length).toBeGreaterThan(10), {
      timeout: 30_000,
    })
    expect(container.querySelectorAll('*').length).toBeLessThan(20_000)
    await vi.waitFor(() => expect(container.querySelector('pre')?.textContent?.length).toBe(5_000 * 41), {
      timeout: 10_000,
    })
  })

  it('that nests 10,000 deep or leaves all open is shown without a failure', async () => {
    const texts = [
      '>'.repeat(10_000),
      '> '.repeat(10_000),
      '- '.repeat(10_000),
      '1. '.repeat(10_000),
      '*'.repeat(10_000),
      '['.repeat(10_000),
      '`'.repeat(9_999),
      '*_'.repeat(5_000),
      '*a **b '.repeat(2_000),
      '[a]('.repeat(3_000),
      '![a]('.repeat(3_000),
      '<a '.repeat(3_000),
      '&amp'.repeat(3_000),
      '$'.repeat(9_999),
      '\\'.repeat(9_999),
      '|'.repeat(10_000),
      '~~'.repeat(5_000),
      '**bold `code [link](x $a ~~s ',
      Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
    ]
    for (const text of texts) {
      const view = stream(`${text}\n\nafter`, [5_000])
      // An input whose time grows with its square would need minutes.
      await vi.waitFor(
        () =>
          expect(view.container.textContent?.endsWith('after') || view.container.textContent?.endsWith('after\n')).toBe(
            true,
          ),
        {
          timeout: 10_000,
        },
      )
      view.unmount()
    }
  })
})

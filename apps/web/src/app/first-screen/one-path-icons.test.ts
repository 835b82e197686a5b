import { expect, it } from 'vitest'
import { withOnePathIcons } from './one-path-icons'

const icon = (shapes: string) => `<svg width="24" class="lucide lucide-lock">${shapes}</svg>`

it('makes one path of the shapes of each icon, and leaves everything else as it is', () => {
  const logo = '<svg class="mark"><path d="M1 1"></path><path d="M2 2" fill="none"></path></svg>'
  const page = `<main>${logo}${icon('<path d="M1 2h3"></path><path d="m5 6 7 8"></path>')}<p>Text</p></main>`
  expect(withOnePathIcons(page)).toBe(`<main>${logo}${icon('<path d="M1 2h3M0 0m5 6 7 8"></path>')}<p>Text</p></main>`)
})

it('draws circles and rectangles as paths', () => {
  expect(withOnePathIcons(icon('<circle cx="4" cy="20" r="2"></circle>'))).toBe(
    icon('<path d="M2 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z"></path>'),
  )
  expect(withOnePathIcons(icon('<rect width="18" height="11" x="3" y="11" rx="2" ry="2"></rect>'))).toBe(
    icon('<path d="M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-7a2 2 0 0 1 2 -2z"></path>'),
  )
})

it('refuses what it could not draw alike', () => {
  for (const shapes of ['<line x1="1"></line>', '<path d="M1 1" fill="red"></path>', '<g><path d="M1 1"></path></g>'])
    expect(() => withOnePathIcons(icon(shapes))).toThrow('an icon has')
})

// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function colours(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(selector)).split('}')[0] ?? ''
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  )
}

const light = colours('[data-theme] {')
const dark = new Map([...light, ...colours("[data-theme='dark'] {")])

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['canvas', 'sidebar', 'surface', 'raised', 'sunken']
const textPairs: [string, string][] = [
  ...['ink', 'ink-2', 'ink-3', 'brand', 'bad', 'warn', 'good', 'local', 'cloud'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ...['ink', 'ink-2', 'ink-3'].flatMap((text) =>
    ['hover', 'selected', 'code-bg'].map((ground): [string, string] => [text, ground]),
  ),
  ...['local', 'cloud', 'good', 'warn', 'bad'].map((tone): [string, string] => [tone, `${tone}-soft`]),
  ['on-brand', 'brand'],
  ['on-brand', 'brand-hover'],
  ['ink-inverse', 'ink'],
  ['ink-inverse', 'bad'],
  ['ink', 'mark'],
  ['paper-ink', 'paper'],
  ['paper-ink-2', 'paper'],
  ['paper-ink', 'paper-mark'],
]

describe.each([
  ['light', light],
  ['dark', dark],
])('%s theme', (_, theme) => {
  it.each(textPairs)('%s can be read on %s (AA)', (text, ground) => {
    expect(contrast(theme.get(text) ?? '', theme.get(ground) ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it.each(grounds)('the focus ring is seen on %s', (ground) => {
    expect(contrast(theme.get('focus') ?? '', theme.get(ground) ?? '')).toBeGreaterThanOrEqual(3)
  })
})

import './global.css'
import { cleanup, render, screen } from '@testing-library/react'
import type {} from '@vitest/browser-playwright'
import { Lock, Trash2 } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { startI18n } from '../i18n/i18n'
import { Button, IconButton } from './button'
import { Field, TextInput } from './field'
import { Segmented } from './segmented'
import { Select } from './select'
import { Switch } from './switch'
import { Tabs } from './tabs'

beforeEach(async () => {
  await page.viewport(1000, 800)
  await startI18n()
  // A font that arrives later would change widths.
  await Promise.all(['400', '580'].map((weight) => document.fonts.load(`${weight} 15px 'Instrument Sans Variable'`)))
})
afterEach(cleanup)

const options = [
  { value: 'local', label: 'Local' },
  { value: 'cloud', label: 'Cloud' },
  { value: 'none', label: 'None', disabled: true },
] as const

const tabs = [
  { id: 'general', label: 'General' },
  { id: 'security', label: 'Security' },
  { id: 'credits', label: 'Credits' },
] as const

function Settings() {
  const [selected, setSelected] = useState<(typeof tabs)[number]['id']>('general')
  return (
    <Tabs label="Settings" tabs={tabs} selected={selected} onSelect={setSelected}>
      {selected}
    </Tabs>
  )
}

function StorageMode() {
  const [value, setValue] = useState<(typeof options)[number]['value']>('local')
  return <Segmented label="Storage mode" value={value} options={options} onChange={setValue} />
}

describe('a busy button', () => {
  it('keeps its name, its size and the focus, and does nothing', async () => {
    let clicks = 0
    let submits = 0
    const form = (busy: boolean) => (
      <form
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          submits++
        }}
      >
        <input aria-label="Name" />
        <Button type="submit" busy={busy} onClick={() => clicks++}>
          Rename
        </Button>
      </form>
    )
    const view = render(form(false))
    const before = screen.getByRole('button').getBoundingClientRect().width
    await userEvent.click(screen.getByRole('button'))
    view.rerender(form(true))
    const button = screen.getByRole('button', { name: 'Rename' })
    expect(button.getBoundingClientRect().width).toBe(before)
    expect(document.activeElement).toBe(button)
    await userEvent.keyboard('{Enter}')
    await userEvent.type(screen.getByRole('textbox'), '{Enter}')
    expect([clicks, submits]).toEqual([1, 1])
  })
})

it('tabs are walked by arrows, Home and End, and only the chosen one is in the tab order', async () => {
  render(<Settings />)
  await userEvent.keyboard('{Tab}')
  for (const [key, name] of [
    ['{ArrowRight}', 'Security'],
    ['{End}', 'Credits'],
    ['{ArrowRight}', 'General'],
    ['{ArrowLeft}', 'Credits'],
    ['{Home}', 'General'],
  ] as const) {
    await userEvent.keyboard(key)
    expect(document.activeElement).toBe(screen.getByRole('tab', { name, selected: true }))
    expect(screen.getByRole('tabpanel', { name }).textContent).toBe(name.toLowerCase())
  }
  expect(screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
})

it('a segmented choice is a group of radio buttons that arrows move through', async () => {
  render(<StorageMode />)
  await userEvent.keyboard('{Tab}{ArrowRight}')
  expect(screen.getByRole('radio', { name: 'Cloud', checked: true })).toBe(document.activeElement)
  await userEvent.click(screen.getByRole('radio', { name: 'Local' }))
  expect(screen.getByRole('radio', { name: 'Local', checked: true })).toBeTruthy()
})

it("a field's error is said with the field, in place of the hint", () => {
  const field = (error?: string) => (
    <Field label="Name" hint="At most 100 characters" {...(error ? { error } : {})}>
      <TextInput />
    </Field>
  )
  const view = render(field())
  const input = screen.getByRole('textbox', { name: 'Name' })
  const described = () => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent
  expect([described(), input.getAttribute('aria-invalid')]).toEqual(['At most 100 characters', null])
  view.rerender(field('Channel with this name already exists'))
  expect([described(), input.getAttribute('aria-invalid')]).toEqual(['Channel with this name already exists', 'true'])
})

it('on a narrow screen a finger of 44 px hits every control', async () => {
  await page.viewport(390, 844)
  render(
    <div style={{ display: 'grid', gap: 30, padding: 30, justifyItems: 'start' }}>
      <Button size="small">Cancel</Button>
      <IconButton label="Delete" icon={Trash2} size="small" />
      <IconButton label="Lock" icon={Lock} />
      <TextInput aria-label="Name" />
      <Select label="Language" value="local" options={options} onChange={() => undefined} />
      <Switch label="Web search" checked onChange={() => undefined} />
      <Segmented label="Storage mode" value="local" options={options} onChange={() => undefined} />
      <Tabs label="Settings" tabs={[{ id: 'general', label: 'General' }]} selected="general" onSelect={() => undefined}>
        Words
      </Tabs>
    </div>,
  )
  const controls = ['button', 'textbox', 'combobox', 'switch', 'radio', 'tab'].flatMap((role) =>
    screen.getAllByRole(role),
  )
  for (const control of controls) {
    const { left, top, width, height } = control.getBoundingClientRect()
    const hits = (dx: number, dy: number): boolean => {
      const hit = document.elementFromPoint(left + width / 2 + dx, top + height / 2 + dy)
      return hit === control || control.contains(hit) || (hit?.closest('label')?.contains(control) ?? false)
    }
    const name = control.getAttribute('aria-label') ?? control.textContent ?? ''
    expect([hits(0, -21), hits(0, 21), hits(-21, 0), hits(21, 0)], name).toEqual([true, true, true, true])
  }
})

describe('a button that moves away while it is pressed', () => {
  type Point = { x: number; y: number }
  let [clicks, submits, around] = [0, 0, 0]
  const count = (): void => void around++
  beforeEach(() => document.addEventListener('click', count))
  afterEach(() => document.removeEventListener('click', count))

  /** `at` is a place in this page, which the runner shows scaled. */
  async function mouse(
    type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
    at: Point,
    buttons: 0 | 1,
  ): Promise<void> {
    const { left, top, width } = window.frameElement?.getBoundingClientRect() ?? new DOMRect()
    const scale = width / innerWidth
    const place = { x: left + at.x * scale, y: top + at.y * scale }
    await cdp().send('Input.dispatchMouseEvent', { ...{ type, ...place, buttons }, button: 'left', clickCount: 1 })
  }

  /** Pressed in its middle; then the page moves, and the pointer by `to`, where it is let go, if it is. */
  async function press(name: string, to?: Point): Promise<void> {
    cleanup()
    ;[clicks, submits, around] = [0, 0, 0]
    const onClick = (): void => void clicks++
    render(
      <form
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          submits++
        }}
      >
        <p data-testid="above" />
        <Button type="submit" onClick={onClick}>
          Ask
        </Button>
        <IconButton label="Delete" icon={Trash2} onClick={onClick} />
      </form>,
    )
    const { left, top, width, height } = screen.getByRole('button', { name }).getBoundingClientRect()
    const middle = { x: left + width / 2, y: top + height / 2 }
    await mouse('mouseMoved', middle, 0)
    await mouse('mousePressed', middle, 1)
    screen.getByTestId('above').style.height = '200px'
    if (!to) return
    const end = { x: middle.x + to.x, y: middle.y + to.y }
    await mouse('mouseMoved', end, 1)
    await mouse('mouseReleased', end, 0)
  }

  it('is clicked where the pointer stayed', async () => {
    await press('Delete', { x: 0, y: 0 })
    expect(clicks).toBe(1)
    await press('Ask', { x: 3, y: -3 })
    expect([clicks, submits]).toEqual([1, 1])
  })

  it('is not where the pointer was moved off it, nor is what it stands in', async () => {
    await press('Delete', { x: 150, y: 20 })
    expect([clicks, around]).toEqual([0, 0])
    await press('Ask', { x: 150, y: 20 })
    expect([clicks, submits, around]).toEqual([0, 0, 0])
  })

  it('is clicked by the keyboard though a press before it never ended', async () => {
    await press('Delete')
    await userEvent.keyboard('{Enter}')
    expect(clicks).toBe(1)
    await mouse('mouseReleased', { x: 900, y: 700 }, 0)
  })
})

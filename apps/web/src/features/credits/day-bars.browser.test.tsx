import '../../ui/global.css'
import { dollars, noMoney } from '@parley/contract/money'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startI18n } from '../../i18n/i18n'
import { DayBars } from './day-bars'

const days = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, '0')}`,
  amount: index % 3 === 0 ? noMoney : dollars(index),
  answers: index,
}))

beforeEach(async () => {
  await page.viewport(1000, 800)
  await startI18n()
  render(
    <div style={{ width: 640 }}>
      <DayBars days={days} />
    </div>,
  )
})
afterEach(cleanup)

const slider = () => screen.getByRole('slider')
const bars = () => [...(slider().previousElementSibling?.children ?? [])].map((bar) => bar.getBoundingClientRect())
const isTold = (day: string) => screen.queryByText(new RegExp(`^${day} ·`)) !== null

describe('the bars of the days', () => {
  it('are told by the day that the pointer is over, and as the sum when it leaves', () => {
    for (const at of [0, 13, 28]) {
      const { left, width, bottom } = bars()[at] ?? new DOMRect()
      fireEvent.pointerMove(slider(), { clientX: left + width / 2, clientY: bottom - 40 })
      expect(isTold(`Nov ${at + 1}`), `day ${at + 1}`).toBe(true)
    }
    fireEvent.pointerLeave(slider())
    expect(screen.getByText(/in the last 30 days/)).toBeTruthy()
  })

  it('are chosen by a press on the very bar', async () => {
    const box = slider().getBoundingClientRect()
    for (const at of [1, 14, 28]) {
      const { left, width } = bars()[at] ?? new DOMRect()
      await userEvent.click(slider(), { position: { x: left + width / 2 - box.left, y: 60 } })
      expect(slider()).toHaveProperty('value', String(at))
    }
  })

  it('are walked by the arrow keys', async () => {
    await userEvent.tab()
    expect(document.activeElement).toBe(slider())
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(isTold('Nov 28')).toBe(true)
    await userEvent.keyboard('{Home}')
    expect(isTold('Nov 1')).toBe(true)
  })

  it('grow with the amount, and a day without any is still to be seen', () => {
    const heights = bars().map(({ height }) => Math.round(height))
    const most = Math.max(...heights)
    expect(heights.at(-1)).toBe(most)
    expect(heights[14]).toBe(Math.round((most * 14) / 29))
    expect(heights[3]).toBe(2)
  })
})

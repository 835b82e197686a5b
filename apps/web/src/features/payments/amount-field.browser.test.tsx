import '../../ui/global.css'
import { cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { startI18n } from '../../i18n/i18n'
import { AmountField } from './amount-field'

beforeEach(startI18n)
afterEach(cleanup)

function Amount() {
  const [text, setText] = useState('0')
  return (
    <AmountField
      text={text}
      onChange={setText}
      offer={{ methods: ['pix'], minDollars: 1, maxDollars: 10_000 }}
      error={undefined}
    />
  )
}

/** The field, with everything in it selected, as it is for somebody who comes to it. */
async function aField(): Promise<HTMLInputElement> {
  render(<Amount />)
  await userEvent.tab()
  return screen.getByRole('spinbutton')
}

it.each([
  ['25', '25'],
  ['12.5', '12.5'],
  ['0.75', '0.75'],
  ['1.', '1'],
  ['-5', '5'],
  ['1e3', '13'],
  ['abc7', '7'],
  ['25{Backspace}{Backspace}', '0'],
  ['25{Backspace}{Backspace}3', '3'],
])('typing %s by the keyboard makes it %s [ST-171]', async (keys, amount) => {
  const field = await aField()
  await userEvent.keyboard(keys)
  expect(field.value).toBe(amount)
})

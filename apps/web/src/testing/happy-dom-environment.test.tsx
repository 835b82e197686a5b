import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

it('a search that finds nothing says what the page shows instead', () => {
  render(
    <main>
      <p>Hello</p>
      <input disabled />
    </main>,
  )
  expect(() => screen.getByText('Goodbye')).toThrow(/Hello/)
})

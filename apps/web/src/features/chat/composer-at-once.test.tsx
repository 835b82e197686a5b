import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'

// What a slow network has not brought yet: all that is loaded after the box.
vi.mock('../sources/sources-bar', () => new Promise(() => undefined))

const line = aChatLine()
beforeEach(() => localStorage.clear())
afterEach(cleanUp)

it('has the box to type in before what shows sources is loaded: the page takes its own box away for it, and what is typed in between would be lost', async () => {
  const { user } = await renderScreen('/app', { answers: line.answers })
  const box = screen.getByRole('textbox', { name: 'Message' })
  await user.type(box, 'Hm?')
  expect(box).toHaveProperty('value', 'Hm?')
})

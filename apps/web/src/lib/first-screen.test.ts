import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(() => document.body.replaceChildren())

/** The box of the page before the app; the module looks it up as it is loaded. */
async function aBox() {
  const box = document.createElement('textarea')
  box.dataset.firstText = ''
  document.body.append(box, document.createElement('button'))
  return { box, ...(await import('./first-screen')) }
}

it('hands over the focus of an empty box too: the next key is for the box of the app', async () => {
  const { box, takeFirstText } = await aBox()
  box.focus()
  box.remove()
  expect(takeFirstText()).toEqual({ text: '', selection: [0, 0], isSent: false })
  expect(takeFirstText()).toBeUndefined()
})

it('hands over the focus also where a browser tells of the blur before the box is out of the page', async () => {
  const { box, takeFirstText } = await aBox()
  box.focus()
  box.dispatchEvent(new FocusEvent('blur'))
  box.remove()
  expect(takeFirstText()).toEqual({ text: '', selection: [0, 0], isSent: false })
})

it('hands over nothing of an empty box that nobody is in', async () => {
  const { box, takeFirstText } = await aBox()
  box.focus()
  document.querySelector('button')?.focus()
  await Promise.resolve()
  box.remove()
  expect(takeFirstText()).toBeUndefined()
})

it('hands over what was typed, and where', async () => {
  const { box, takeFirstText } = await aBox()
  box.focus()
  box.value = 'What is a lien?'
  box.setSelectionRange(4, 7)
  box.remove()
  expect(takeFirstText()).toEqual({ text: 'What is a lien?', selection: [4, 7], isSent: false })
})

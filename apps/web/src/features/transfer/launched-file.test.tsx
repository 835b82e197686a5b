import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

afterEach(async () => {
  vi.unstubAllGlobals()
  await cleanUp()
})

type Launch = { files: { getFile: () => Promise<File> }[] }

it('a file that was opened with the app is read, and asked about like one that was chosen; a second one does not take its place', async () => {
  let consume: (launch: Launch) => void = () => undefined
  vi.stubGlobal('launchQueue', { setConsumer: (consumer: typeof consume) => (consume = consumer) })
  const open = (file: File) => act(async () => consume({ files: [{ getFile: async () => file }] }))
  await seedSession()
  await renderScreen('/settings')
  await screen.findByRole('group', { name: 'System' })
  await open(new File(['not a data file'], 'notes.json'))
  const dialog = within(await screen.findByRole('dialog'))
  expect((await dialog.findByRole('alert')).textContent).toContain('Import failed')
  await open(new File(['{}'], 'other.txt'))
  expect((await dialog.findByRole('alert')).textContent).toContain('Import failed')
})

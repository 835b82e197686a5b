import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

const reload = vi.fn()
/** The reloads that are to come. */
let due: (() => void)[]

beforeEach(() => {
  localStorage.clear()
  reload.mockReset()
  vi.spyOn(location, 'reload').mockImplementation(reload)
  // Otherwise the reload of one test would come in the middle of the next one.
  due = holdTimersOf(2_000)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
})

const at = new Date().toISOString()
const entry = (id: string, channelName: string) => ({ id, channelName, created_at: at, updated_at: at })
const fileOf = (content: unknown) =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], 'chats.json', {
    type: 'application/json',
  })
const good = fileOf({
  channels: [entry('import-1', 'From afar'), entry('import-2', 'Another one')],
  chats: {
    'import-1': [
      { mId: 'm1', chat_request: 'Hello?', chat_response: { role: 'assistant', content: 'Hi.' }, datetime: at },
    ],
  },
  exportedAt: at,
  version: '1.0',
})

async function chooseFile(user: Awaited<ReturnType<typeof renderScreen>>['user'], file: File) {
  await user.upload(screen.getByLabelText('Import chats'), file)
}

/**
 * What is put off for exactly this long waits until the test runs it; everything else keeps its own time, however slow
 * the machine is.
 */
function holdTimersOf(ms: number): (() => void)[] {
  const due: (() => void)[] = []
  const own = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(
    Object.assign((run: () => void, afterMs?: number) => {
      if (afterMs !== ms) return own(run, afterMs)
      due.push(run)
      return own(() => undefined, 0)
    }, own),
  )
  return due
}

describe('importing chats', () => {
  it('asks with their number, brings them in, and skips them the next time [CH-133, CH-138]', async () => {
    const { user } = await renderScreen()
    await chooseFile(user, good)
    expect(await screen.findByText('Import 2 chats from this file?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('2 chats imported')).toBeTruthy()
    expect(await screen.findByRole('link', { name: /From afar/ })).toBeTruthy()
    await chooseFile(user, good)
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('0 chats imported, 2 skipped')).toBeTruthy()
  })

  it('loads the page anew two seconds after, where anything came in [ST-192]', async () => {
    const { user } = await renderScreen()
    await chooseFile(user, good)
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('2 chats imported')).toBeTruthy()
    expect(reload).not.toHaveBeenCalled()
    for (const run of due) run()
    expect(reload).toHaveBeenCalledOnce()
  })

  it('takes a data file as well, and adds what is new [CH-138, ST-189]', async () => {
    const { user } = await renderScreen()
    const data = {
      metadata: { exportedAt: at, version: '1.0' },
      channels: [entry('import-3', 'Of a data file')],
      chats: [],
    }
    await chooseFile(user, fileOf(data))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByRole('link', { name: /Of a data file/ })).toBeTruthy()
  })

  it('declined, changes nothing and says so [CH-142]', async () => {
    const { user } = await renderScreen()
    await chooseFile(user, good)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Import cancelled by user')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /From afar/ })).toBeNull()
  })

  it('refuses what is no channels file, in its words [CH-137, CH-141]', async () => {
    await seedChannels('Lease clauses')
    const { user } = await renderScreen()
    await chooseFile(user, fileOf({ hello: 1 }))
    expect(await screen.findByText('Failed to import channels: Invalid import data format')).toBeTruthy()
    expect(await screen.findByRole('link', { name: /Lease/ })).toBeTruthy()
  })
})

describe('exporting all chats', () => {
  it('hands over one file and says how many chats are in it [CH-133, CH-135, CH-136]', async () => {
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen()
    const downloads: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function remember(
      this: HTMLAnchorElement,
    ) {
      downloads.push(this.download)
    })
    await screen.findByRole('link', { name: /Lease/ })
    await user.click(screen.getByRole('button', { name: 'Chats menu' }))
    await user.click(screen.getByRole('menuitem', { name: 'Export all chats' }))
    expect(await screen.findByText('2 chats exported')).toBeTruthy()
    await waitFor(() => expect(downloads).toEqual([expect.stringMatching(/^parley_channels_\d{4}-\d{2}-\d{2}\.json$/)]))
    click.mockRestore()
  })
})

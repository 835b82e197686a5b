import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cloudChannels } from '../../data/channels/homes'
import { localChannels } from '../../data/channels/local-channels'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

const reload = vi.fn()

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  reload.mockReset()
  vi.spyOn(location, 'reload').mockImplementation(reload)
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await cleanUp()
})

const at = '2026-03-04T05:06:07.000Z'
const metadata = { exportedAt: at, version: '1.0' }
const entry = (id: string, channelName: string) => ({ id, channelName, created_at: at, updated_at: at })
const message = (mId: string) => ({
  mId,
  chat_request: 'Hello?',
  chat_response: { role: 'assistant', content: 'Hi.' },
  datetime: at,
})
const data = {
  metadata,
  channels: [entry('c-1', 'From afar'), entry('c-2', 'Another one')],
  chats: [{ channelId: 'c-1', messages: [message('m1'), message('m2'), message('m3')] }],
}
const fileOf = (content: unknown, name = 'data.json') =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], name)

async function openDialog(name: 'Export' | 'Import') {
  const view = await renderScreen('/settings')
  const system = within(await screen.findByRole('group', { name: 'System' }))
  await view.user.click(system.getByRole('button', { name }))
  const dialog = within(await screen.findByRole('dialog'))
  return { ...view, dialog }
}

async function openImport() {
  const view = await openDialog('Import')
  return { ...view, choose: (file: File) => view.user.upload(view.dialog.getByLabelText('Choose a file'), file) }
}

describe('exporting data', () => {
  it('begins with both homes and everything but users, and asks for at least one type [ST-181, ST-187]', async () => {
    await seedSession()
    const { user, dialog } = await openDialog('Export')
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Device and cloud' }).checked).toBe(true)
    const boxes = dialog.getAllByRole<HTMLInputElement>('checkbox').slice(0, 5)
    expect(boxes.map(({ checked }) => checked)).toEqual([true, true, true, true, false])
    for (const box of boxes.slice(0, 4)) await user.click(box)
    expect(dialog.getByRole('alert').textContent).toBe('Choose at least one.')
    expect(dialog.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', true)
  })

  it('hands over one file and says how much is in it [ST-182, ST-193]', async () => {
    await seedSession()
    await seedChannels('Lease clauses', 'Sourdough')
    const downloads: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementationOnce(function remember(this: HTMLAnchorElement) {
      downloads.push(this.download)
    })
    const { user, dialog } = await openDialog('Export')
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('Export completed successfully! 2 items exported.')).toBeTruthy()
    expect(downloads).toEqual([expect.stringMatching(/^parley_both_\d{4}-\d\d-\d\d\.zip$/)])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('that fails says why, and stays open to try again [ST-193]', async () => {
    await seedSession()
    const { user, dialog } = await openDialog('Export')
    const list = vi.spyOn(localChannels, 'list').mockRejectedValue(new Error('broken'))
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(await screen.findByText('Export failed: An unexpected error occurred')).toBeTruthy()
    list.mockRestore()
    expect(dialog.getByRole('button', { name: 'Export' })).toHaveProperty('disabled', false)
  })

  it('asks for a passphrase twice', async () => {
    await seedSession()
    const { user, dialog } = await openDialog('Export')
    await user.click(dialog.getByRole('checkbox', { name: 'Protect with a passphrase' }))
    await user.type(dialog.getByLabelText('Passphrase'), 'short')
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(dialog.getByRole('alert').textContent).toBe('Use at least 8 characters.')
    await user.type(dialog.getByLabelText('Passphrase'), ' and longer')
    await user.type(dialog.getByLabelText('Repeat passphrase'), 'something else')
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(dialog.getByRole('alert').textContent).toBe('The two passphrases are not the same.')
  })
})

describe('importing data', () => {
  it('tells what is in the file, begins with all types and replacing, imports, and loads the page anew after three seconds [ST-190, ST-191, ST-192, ST-194]', async () => {
    await seedSession()
    const { user, dialog, choose } = await openImport()
    await choose(fileOf(data))
    expect(await dialog.findByText('Found in data.json')).toBeTruthy()
    expect(dialog.getByText(/Parley export of March 4, 2026/)).toBeTruthy()
    expect(dialog.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ])
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Replace/ }).checked).toBe(true)
    expect(await localChannels.get('c-1')).toBeUndefined()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    expect(await dialog.findByText('Import completed! 5 items imported successfully.')).toBeTruthy()
    const numbers = dialog.getAllByRole('definition').map((each) => each.textContent)
    expect(numbers).toEqual(['2', '3', '0', '0', '0', '0'])
    // What was drawn has then had its effects as well.
    await act(async () => undefined)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(3_000)
    expect(reload).toHaveBeenCalledOnce()
  })

  it('skips what is here where that was chosen, and then has no reason to load the page anew [ST-188, ST-191]', async () => {
    await seedSession()
    const { user, dialog, choose, unmount } = await openImport()
    await choose(fileOf({ ...data, chats: [] }))
    await user.click(await dialog.findByRole('button', { name: 'Import' }))
    await dialog.findByText('Import completed! 2 items imported successfully.')
    unmount()
    const again = await openImport()
    await again.choose(fileOf({ ...data, chats: [] }))
    await again.user.click(await again.dialog.findByRole('radio', { name: /^Skip/ }))
    await again.user.click(again.dialog.getByRole('button', { name: 'Import' }))
    expect(await again.dialog.findByText('Import completed! 0 items imported successfully.')).toBeTruthy()
    expect(again.dialog.getAllByRole('definition').at(-1)?.textContent).toBe('2')
    expect(again.dialog.getByRole('button', { name: 'Done' })).toBeTruthy()
  })

  it('says before anything is written how much would be replaced and lost, and brings it back with Undo', async () => {
    await seedSession()
    const view = await openImport()
    await view.choose(fileOf(data))
    await view.user.click(await view.dialog.findByRole('button', { name: 'Import' }))
    await view.dialog.findByText('Import completed! 5 items imported successfully.')
    view.unmount()
    const again = await openImport()
    await again.choose(fileOf({ ...data, chats: [{ channelId: 'c-1', messages: [message('m1')] }] }))
    expect((await again.dialog.findByText(/1 chat replaced/)).textContent).toBe(
      'This device: 1 chat replaced, 1 message replaced',
    )
    expect(
      again.dialog.getByText(
        '2 messages of the replaced chats are not in the file and would be lost. You can undo this for 30 days.',
      ),
    ).toBeTruthy()
    await again.user.click(again.dialog.getByRole('radio', { name: /^Merge/ }))
    expect(again.dialog.getByText('With this choice no chat is added or changed.')).toBeTruthy()
    await again.user.click(again.dialog.getByRole('radio', { name: /^Replace/ }))
    await again.user.click(again.dialog.getByRole('button', { name: 'Import' }))
    await again.user.click(await again.dialog.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(/as (it was|they were) before the import\./)).toBeTruthy()
    expect((await localChannels.messages('c-1')).messages).toHaveLength(3)
    again.unmount()
    await renderScreen('/settings')
    expect(await screen.findByRole('group', { name: 'System' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('goes to the cloud where that is chosen, and nowhere else [ST-188, ST-190]', async () => {
    await seedSession()
    const created = vi.spyOn(cloudChannels, 'create').mockImplementation(async (wanted) => ({
      ...{ ...entry('c-1', ''), userId: null, isLocalChannel: false, source: 'postgresql' },
      ...{ isDocument: false, isImage: false, isYoutube: false, isLocked: false },
      ...wanted,
    }))
    const put = vi.spyOn(cloudChannels, 'importMessages').mockResolvedValue(3)
    const { user, dialog, choose } = await openImport()
    await choose(fileOf({ ...data, channels: [entry('c-1', 'From afar')] }))
    await user.click(await dialog.findByRole('radio', { name: 'Cloud' }))
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    await dialog.findByText('Import completed! 4 items imported successfully.')
    expect(created.mock.calls.map(([{ channelName }]) => channelName)).toEqual(['From afar'])
    expect(put.mock.calls.flatMap(([, messages]) => messages.map(({ mId }) => mId))).toEqual(['m1', 'm2', 'm3'])
    expect(await localChannels.list()).toEqual([])
  })

  it('needs at least one type [ST-187]', async () => {
    await seedSession()
    const { user, dialog, choose } = await openImport()
    await choose(fileOf(data))
    for (const box of await dialog.findAllByRole('checkbox')) await user.click(box)
    expect(dialog.getByRole('alert').textContent).toBe('Choose at least one.')
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    expect(dialog.getByText('Found in data.json')).toBeTruthy()
    expect(await localChannels.list()).toEqual([])
  })

  it.each([
    ['another type', fileOf('hello', 'notes.txt'), 'Please select a JSON or ZIP file (.json, .zip)'],
    ['a zip that is none', fileOf('hello', 'data.zip'), 'Import failed: Only JSON and ZIP files are supported'],
    ['no JSON', fileOf('hello'), 'Import failed: Invalid import data format'],
    [
      'no metadata',
      fileOf({ channels: [] }),
      'Import failed: Invalid import data: Missing metadata, Missing export timestamp, Missing version info',
    ],
    [
      'foreign lists',
      fileOf({ metadata, channels: {}, users: 1 }),
      'Import failed: Invalid import data: Invalid channels format, Invalid users format',
    ],
  ])('refuses a file with %s in its words [ST-183, ST-185, ST-186, ST-194]', async (_what, file, text) => {
    await seedSession()
    const { dialog, choose } = await openImport()
    // As a person who drops it there: the chooser would not offer another type.
    dialog.getByLabelText('Choose a file').removeAttribute('accept')
    await choose(file)
    expect((await dialog.findByRole('alert')).textContent).toBe(text)
    expect(await localChannels.list()).toEqual([])
  })

  it('lists the first three of what cannot be read, and takes the rest [ST-191, ST-195]', async () => {
    await seedSession()
    const { user, dialog, choose } = await openImport()
    await choose(fileOf({ ...data, channels: [{}, {}, {}, {}, entry('c-1', 'From afar')] }))
    expect(await dialog.findByText('Some entries cannot be read and are left out:')).toBeTruthy()
    const items = () => dialog.getAllByRole('listitem').map((each) => each.textContent)
    expect(items()).toEqual([
      'Channels #1: could not be read',
      'Channels #2: could not be read',
      'Channels #3: could not be read',
    ])
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    await dialog.findByText('Import completed! 4 items imported successfully.')
    expect(items()).toHaveLength(3)
  })

  it('takes what ChatGPT gives out', async () => {
    await seedSession()
    const said = (parent: string | null, role: string, text: string) => ({
      parent,
      message: { author: { role }, content: { content_type: 'text', parts: [text] } },
    })
    const conversation = {
      id: 'g-1',
      title: 'Baking',
      mapping: { q: said(null, 'user', 'Bread?'), a: said('q', 'assistant', 'Yes.') },
      current_node: 'a',
    }
    const { user, dialog, choose } = await openImport()
    await choose(fileOf([conversation], 'conversations.json'))
    expect(await dialog.findByText('ChatGPT export')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Import' }))
    await dialog.findByText('Import completed! 2 items imported successfully.')
    expect((await localChannels.messages('g-1')).messages).toMatchObject([
      { chat_request: 'Bread?', chat_response: { content: 'Yes.' } },
    ])
  })
})

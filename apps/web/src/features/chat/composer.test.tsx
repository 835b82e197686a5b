import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readDraft, writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  writeDraft('new', '')
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

const fullDisk = 'Your device is out of space. Nothing was lost: free some space and try again.'
const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

/** The disk is full from the write of this table on. */
function fillDisk(table: string) {
  const refuse = (write: IDBObjectStore['put']): IDBObjectStore['put'] =>
    function putOrRefuse(this: IDBObjectStore, ...args) {
      if (this.name === table) throw new DOMException('full', 'QuotaExceededError')
      return write.apply(this, args)
    }
  const { add, put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse(add))
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse(put))
}

describe('the key that sends', () => {
  it('is Enter, or by choice Ctrl Enter, and Enter then adds a line; other tabs follow', async () => {
    const { user } = await renderScreen()
    await user.click(screen.getByRole('button', { name: /Theme, language and help/ }))
    await user.click(await screen.findByRole('radio', { name: 'With Ctrl Enter' }))
    await user.keyboard('{Escape}')
    await user.type(await box(), 'One{Enter}Two')
    expect(await box()).toHaveProperty('value', 'One\nTwo')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('New chat created successfully in Local Storage!')).toBeTruthy()
    localStorage.setItem('parley-send-key', 'nonsense')
    dispatchEvent(new StorageEvent('storage', { key: 'parley-send-key' }))
    await user.type(await box(), 'Three{Enter}')
    expect(await screen.findByText('Three')).toBeTruthy()
  })
})

it('an input method that is composing keeps Enter for itself [ST-042]', async () => {
  const { user } = await renderScreen()
  await user.type(await box(), '日本')
  fireEvent.keyDown(await box(), { key: 'Enter', isComposing: true })
  expect([(await box()).value, await outbox.list()]).toEqual(['日本', []])
  await user.keyboard('{Enter}')
  await waitFor(async () => expect((await box()).value).toBe(''))
})

describe('the first question', () => {
  it('makes a chat on this device, says so and opens it [CH-106, ST-063]', async () => {
    const { user, router } = await renderScreen()
    await user.type(await box(), 'What is a lien?{Enter}')
    expect(await screen.findByText('New chat created successfully in Local Storage!')).toBeTruthy()
    const [channel] = await localChannels.list()
    await waitFor(() => expect(router.shown().location.hash).toBe(channel?.id))
    expect(await screen.findByText('What is a lien?')).toBeTruthy()
  })

  it('opens its chat with what was typed while the chat was being made', async () => {
    const { user, router } = await renderScreen()
    await user.type(await box(), 'What is a lien?')
    const create = localChannels.create.bind(localChannels)
    let goOn = (): void => undefined
    const isAllowed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    vi.spyOn(localChannels, 'create').mockImplementationOnce((...given) => isAllowed.then(() => create(...given)))
    await user.keyboard('{Enter}')
    await user.type(await box(), ' And a pledge?')
    goOn()
    await waitFor(() => expect(router.shown().location.hash).not.toBe(''))
    await waitFor(async () => expect((await box()).value).toBe('And a pledge?'))
    expect(await readDraft('new')).toBe('')
  })

  it.each(['channels', 'outbox', 'exchanges', 'runs'])(
    'that the device has no room for (%s) makes no chat, says so and stays in the box [CH-104, ST-063]',
    async (table) => {
      const { user, router } = await renderScreen()
      await user.type(await box(), 'What is a lien?')
      fillDisk(table)
      await user.keyboard('{Enter}')
      expect(await screen.findByText(`Failed to create channel in Local Storage: ${fullDisk}`)).toBeTruthy()
      expect(router.shown().location.hash).toBe('')
      expect(await box()).toHaveProperty('value', 'What is a lien?')
      vi.restoreAllMocks()
      expect(await localChannels.list()).toEqual([])
      await user.keyboard('{Enter}')
      expect(await screen.findByText('New chat created successfully in Local Storage!')).toBeTruthy()
      expect(await localChannels.list()).toHaveLength(1)
    },
  )
})

describe('in an open chat', () => {
  it('a question that cannot be sent stays in the box, and the chat stays open [ST-048]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user, router } = await renderScreen(`/app#${lease?.id}`)
    await user.type(await box(), 'And now?')
    vi.spyOn(localChannels, 'get').mockRejectedValueOnce(new TypeError('a mistake of ours'))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Error sending message')).toBeTruthy()
    expect(await box()).toHaveProperty('value', 'And now?')
    expect(router.shown().location.hash).toBe(lease?.id)
  })

  it('what is typed while a question is on its way is still in the box when it is sent', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await user.type(await box(), 'And now?')
    const read = localChannels.get.bind(localChannels)
    let goOn = (): void => undefined
    const isAllowed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    vi.spyOn(localChannels, 'get').mockImplementationOnce((id) => isAllowed.then(() => read(id)))
    await user.keyboard('{Enter}')
    await user.type(await box(), ' And a pledge?')
    goOn()
    expect(await screen.findByRole('article')).toBeTruthy()
    await waitFor(async () => expect((await box()).value).toBe('And a pledge?'))
  })

  it('messages that cannot be read are said to be missing, not shown as none [ST-048]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    vi.spyOn(localChannels, 'messages').mockRejectedValue(new TypeError('a mistake of ours'))
    await renderScreen(`/app#${lease?.id}`)
    expect(await screen.findByText('Error when getting messages', {}, { timeout: 15_000 })).toBeTruthy()
  })
})

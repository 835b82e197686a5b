import { bundleOf, type SuiBundle } from '@parley/contract/sui-agents'
import { type SuiManifest, writeManifest } from '@parley/contract/sui-manifest'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { aSignedAgent, aWallet, signedPicture } from '../../testing/signed-agent'

const none = { status: 200, body: { data: [], pagination: { totalAssistants: 0, hasNextPage: false } } }

const wallet = aWallet()
const { agent, history, secrets } = aSignedAgent(wallet)
const bundle = bundleOf({ ...history, picture: btoa(String.fromCharCode(...signedPicture)), secrets })

/** The page of somebody with this wallet, on a server that takes what it is sent unless it is told to refuse. */
async function openPage(address = wallet.address) {
  await seedSession(aUser({ email: `${address}@sui`, name: '', app_metadata: { kind: 'sui' } }))
  const sent: unknown[] = []
  const server = { refusal: undefined as string | undefined }
  const { user } = await renderScreen('/sui-assistants', {
    config: { signInMethods: ['sui'] },
    answers: {
      'GET /v1/sui/public/assistants': () => none,
      'GET /v1/sui/public/user-assistants': () => none,
      'POST /v1/sui/assistant/import': (body) => {
        sent.push(body)
        if (server.refusal)
          return { status: 409, body: { success: false, code: server.refusal, message: '', status: 409 } }
        return { status: 201, body: { agent, head: history.versions.at(-1) } }
      },
    },
  })
  const choose = async (content: unknown) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await user.upload(
      await screen.findByLabelText('Import a signed manifest', { selector: 'input' }),
      new File([text], 'agent.json', { type: 'application/json' }),
    )
  }
  return { user, choose, sent, server }
}

const preview = () => screen.findByRole('dialog', { name: 'Import a signed manifest' })
const marks = (dialog: HTMLElement) => within(dialog).getAllByRole('listitem')
const button = (dialog: HTMLElement) => within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Import' })

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  await cleanUp()
  forgetSession()
})

describe('an agent that comes as a file', () => {
  it('is shown with its author, its versions and what was checked before it is taken; closed, nothing is sent', async () => {
    const { user, choose, sent } = await openPage()
    await choose(bundle)
    const dialog = await preview()
    expect(within(dialog).getByRole('heading', { name: 'Auditor' })).toBeTruthy()
    const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`
    expect(within(dialog).getByText(`By wallet ${short}`)).toBeTruthy()
    expect(within(dialog).getByText('2 versions, the last one signed Nov 23, 2026')).toBeTruthy()
    expect(marks(dialog).map(({ dataset, textContent }) => [dataset.mark, textContent])).toEqual([
      ['good', 'Checked in this browser: 2 versions, unbroken, all signed by this wallet.'],
      ['good', 'The wallet that you are signed in with made it.'],
      ['good', 'The picture is the signed one.'],
      ['good', 'Prompt and knowledge are the signed ones.'],
    ])
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([])

    await choose(bundle)
    await user.click(button(await preview()))
    expect(await screen.findByText('Auditor is here now, with its author and history.')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent).toEqual([bundle])
  })

  it('and cannot be taken as it is says why', async () => {
    const { choose, user, sent } = await openPage()
    const [first = { manifest: '', signature: '' }, second = first] = bundle.versions
    const altered = writeManifest({ ...(JSON.parse(second.manifest) as SuiManifest), name: 'Forged' })
    const notSigned = 'This is not what its wallet signed, so it is not taken.'
    const { secrets: _, ...public_ } = bundle
    const cases: [SuiBundle, string, string][] = [
      [
        { ...bundle, versions: [first, { ...second, manifest: altered }] },
        'Version 2 was changed after it was signed',
        notSigned,
      ],
      [{ ...bundle, versions: [second] }, 'Version 1 does not continue the one before', notSigned],
      [{ ...bundle, picture: btoa('another') }, 'The picture is not the signed one.', notSigned],
      [
        { ...bundle, secrets: { ...secrets, knowledge: 'Another' } },
        'Prompt or knowledge are not the signed ones.',
        notSigned,
      ],
      [
        public_,
        'Prompt and knowledge are not in this file.',
        'Save it again on the other server, signed in with its wallet: then prompt and knowledge are in the file.',
      ],
    ]
    for (const [given, mark, why] of cases) {
      await choose(given)
      const dialog = await preview()
      expect(within(dialog).getByText(mark)).toBeTruthy()
      expect(within(dialog).getByRole('alert').textContent).toBe(why)
      expect(button(dialog).disabled).toBe(true)
      await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    }
    for (const text of ['{', '{}', '[]']) {
      await choose(text)
      expect(await screen.findByText('This is not a signed agent that can be read.')).toBeTruthy()
    }
    expect(sent).toEqual([])
  })

  it('of another wallet is not this one’s to bring, and what the server says no to is told', async () => {
    const { choose } = await openPage(`0x${'7f3a'.repeat(16)}`)
    await choose(bundle)
    const foreign = await preview()
    expect(within(foreign).getByText('Another wallet made it.')).toBeTruthy()
    expect(within(foreign).getByRole('alert').textContent).toBe('Only the wallet that made it can bring it here.')
    expect(button(foreign).disabled).toBe(true)
    await cleanUp()
    forgetSession()

    const own = await openPage()
    own.server.refusal = 'sui.stale'
    await own.choose(bundle)
    const dialog = await preview()
    await own.user.click(button(dialog))
    expect(
      await within(dialog).findByText(
        'There is already this version of the agent, or a newer one. Reload it and try again.',
      ),
    ).toBeTruthy()
  })
})

import { readFileSync } from 'node:fs'
import type { SuiBundle } from '@parley/contract/sui-agents'
import { readManifest } from '@parley/contract/sui-manifest'
import type { Page } from '@playwright/test'
import { startSuiNode } from '../apps/server/src/testing/sui-node-stand-in'
import { SuiPerson, type SuiWallet, sendingWallet } from '../apps/server/src/testing/sui-people'
import { editor, fillGeneral, goOn } from './agent-steps'
import { injectStandard, OwnedWallet, slushKind } from './injected-wallets'
import { expectNothingSerious } from './nothing-serious'
import { ParleyServer } from './parley-server'
import { accountButton, answers, ask, expect, openPanel, panelOf, refusalNoise, test } from './people'

test.use({ emptyTables: true, allowedNoise: refusalNoise })

async function signInWithSui(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/app`)
  await openPanel(page)
  await panelOf(page).panel.getByRole('button', { name: 'Sui', exact: true }).click()
  await expect(accountButton(page)).toBeVisible()
}

const info = (page: Page) => page.getByRole('dialog', { name: 'First reader' })
const history = (page: Page) => info(page).getByRole('region', { name: 'Signed history' })

async function verify(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sui-assistants`)
  await page.getByRole('main').getByRole('link', { name: 'Warm Reader', exact: true }).click()
  await history(page).getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(history(page).getByRole('status')).toHaveText(
    'Checked in this browser: 2 versions, unbroken, all signed by this wallet.',
  )
  await expect(history(page).getByText('Prompt and knowledge are the signed ones.')).toBeVisible()
  await expect(history(page).locator('[data-mark=bad]')).toHaveCount(0)
}

test('a wallet makes, asks, changes, verifies and saves an agent [AG-088, AG-089, AG-091, ST-075]', async ({
  page,
  server,
  gateway,
}) => {
  const wallet = new OwnedWallet(sendingWallet().signer)
  await injectStandard(page, wallet, slushKind)
  await signInWithSui(page, server.url)
  await page.goto(`${server.url}/sui-assistants`)
  await expect(page.getByRole('heading', { level: 1, name: 'SUI Blockchain Assistants' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Create', exact: true }).first().click()
  await fillGeneral(page)
  await goOn(page)
  await editor(page).getByRole('radio', { name: 'English' }).check({ force: true })
  await editor(page).getByRole('textbox', { name: 'Prompt' }).fill('Read coldly.')
  await goOn(page)
  await goOn(page)
  await expect(page.getByText('Agent created successfully!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('article')).toContainText('Version 1')
  expect(wallet.texts.at(-1)).toContain('asks you to sign version 1 of this agent.')

  await page.getByRole('link', { name: 'Cold Reader', exact: true }).click()
  await info(page).getByRole('button', { name: 'Start chat' }).click()
  gateway.next({ text: 'It is cold.' })
  await ask(page, 'How is it?')
  await expect(answers(page).last()).toContainText('It is cold.')
  expect(JSON.stringify(gateway.requests.at(-1)?.body.messages)).toContain('Read coldly.')

  await page.goto(`${server.url}/sui-assistants`)
  await page.getByRole('button', { name: 'Edit Cold Reader' }).click()
  await editor(page).getByRole('textbox').first().fill('Warm Reader')
  await goOn(page)
  await expect(page.getByRole('main').getByRole('article')).toContainText('Version 2')

  await verify(page, server.url)
  await expectNothingSerious(page, 'a verified agent')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    history(page).getByRole('button', { name: 'Save the signed manifest' }).click(),
  ])
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as SuiBundle
  expect(page.url()).toContain(saved.id)
  expect(saved.versions.map(({ manifest }) => readManifest(manifest).name)).toEqual(['Cold Reader', 'Warm Reader'])
  expect(saved.secrets?.prompts).toEqual({ en: 'Read coldly.' })
})

/** An agent of two versions, as the server that has it gives it to its owner. */
async function anAgent({ url }: ParleyServer, wallet: SuiWallet): Promise<SuiBundle> {
  const person = await SuiPerson.signIn({ url, call: (path, init) => fetch(`${url}${path}`, init) }, wallet)
  const fields = { role: 'First reader', prompt: 'Read coldly.' }
  const made = await person.make({ ...fields, name: 'Cold Reader' })
  const { agent } = await person.change(made, { ...fields, name: 'Warm Reader' })
  return (await person.send('GET', `/v1/sui/assistant/${agent._id}/export`)).body as SuiBundle
}

test('a wallet carries its agent to another server, where it is verified and anchored [AG-091, AG-095]', async ({
  server,
  browser,
}) => {
  const node = await startSuiNode()
  const { signer, sendTo } = sendingWallet()
  const wallet = new OwnedWallet(signer)
  wallet.onSend = sendTo(node)
  const bundle = await anAgent(server, signer)
  const other = await ParleyServer.start({ SUI_RPC_URL: node.url, SUI_PACKAGE_ID: node.package })
  const context = await browser.newContext({ locale: 'en-US' })
  try {
    const there = await context.newPage()
    await injectStandard(there, wallet, slushKind)
    await signInWithSui(there, other.url)
    await there.goto(`${other.url}/sui-assistants`)
    await there.getByLabel('Import a signed manifest').setInputFiles({
      name: 'agent.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(bundle)),
    })
    const preview = there.getByRole('dialog', { name: 'Import a signed manifest' })
    await expect(preview.getByRole('heading', { name: 'Warm Reader' })).toBeVisible()
    await expect(preview.getByRole('listitem')).toHaveText([
      'Checked in this browser: 2 versions, unbroken, all signed by this wallet.',
      'The wallet that you are signed in with made it.',
      'The picture is the signed one.',
      'Prompt and knowledge are the signed ones.',
    ])
    await preview.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(there.getByText('Warm Reader is here now, with its author and history.')).toBeVisible()
    await verify(there, other.url)
    expect(there.url()).toContain(bundle.id)
    await expect(history(there).getByText('It is not anchored on Sui.')).toBeVisible()
    await history(there).getByRole('button', { name: 'Anchor on Sui' }).click()
    await expect(there.getByText('Version 2 is anchored on Sui.')).toBeVisible()
    await expect(history(there).getByText(/^Anchored on Sui: .+, transaction \w{6}…\w{4}\.$/)).toBeVisible()
    await expect(history(there).getByRole('button', { name: 'Anchor on Sui' })).toHaveCount(0)
    await expectNothingSerious(there, 'an anchored agent')
  } finally {
    await context.close()
    await other.remove()
    await node.close()
  }
})

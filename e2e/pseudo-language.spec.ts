import type { Locator, Page } from '@playwright/test'
import { sendingWallet } from '../apps/server/src/testing/sui-people'
import { fullLanguages } from '../packages/contract/src/languages'
import { injectStandard, OwnedWallet, slushKind } from './injected-wallets'
import { answers, expect, journeyDomain } from './journey'
import { layoutFindings } from './layout-findings'
import type { ParleyServer } from './parley-server'
import { call, otherSession, refusalNoise, test } from './people'
import { lengthenTexts, said, speakPseudo, tag } from './pseudo-language'

test.use({
  allowedNoise: refusalNoise,
  emptyTables: true,
  // So that there is something to buy. Nobody is asked.
  environment: {
    ALLOW_PAYMENTS_ON_PGLITE: 'true',
    SIGNUP_CREDITS: '5',
    MERCADOPAGO_ACCESS_TOKEN: 'test',
    MERCADOPAGO_WEBHOOK_SECRET: 'test',
    MERCADOPAGO_API_URL: 'http://127.0.0.1:9',
    USD_BRL_RATE: '5.46',
  },
})

const months = (['long', 'short'] as const).flatMap((month) =>
  Array.from({ length: 12 }, (_, at) => new Intl.DateTimeFormat(tag, { month }).format(new Date(2026, at, 1))),
)
/**
 * What is the same in every language or comes from `Intl`: names of companies, models and people, what is written in
 * the agent's own language, months.
 */
const names = [
  /[\w.+-]+@[\w.-]+/,
  /https?:\/\/\S+/,
  /[\w-]+\/[\w.-]+/,
  /llama-3.1-8b-instruct|Llama 3.1 8B|Parley|MetaMask|Phantom|\bSui\b|\bPix\b|\bana\b|English|Português|Español|Filipino/,
  /Hi, I'm|How can I help you\?/,
  /\bAM\b|\bPM\b/,
  // Addresses of wallets, and which of the cards is seen.
  /0x[\da-f]+(…[\da-f]+)?/,
  /\d (of|de) \d/,
  new RegExp(months.map((month) => `\\b${month}\\b`).join('|')),
]
const allNames = new RegExp(names.map(({ source }) => source).join('|'))

const rich = '## ⟦A⟧\n\n⟦B⟧ `x`\n\n| ⟦A⟧ | ⟦B⟧ |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```\n\n- [ ] ⟦C⟧'
const draft = {
  ...{ name: '⟦Reader⟧', language: 'en', role: '⟦First reader⟧', about: '⟦Reads.⟧', prompt: '⟦Read⟧' },
  ...{ profileImage: '/api/faces/cold.svg', private: false, enabled: true },
}

/** What the journeys below look at, and how they get there. */
function screensOf(page: Page) {
  page.setDefaultTimeout(10_000)
  const dialog = page.getByRole('dialog').last()
  const button = (key: string, inside: Page | Locator = page) =>
    inside.getByRole('button', { name: said(key), exact: true }).first()
  return {
    dialog,
    button,
    text: (key: string, inside: Page | Locator = page) => inside.getByText(said(key), { exact: true }),
    async look(where: string, shown: Locator): Promise<void> {
      await expect(shown.first()).toBeVisible()
      expect.soft(await layoutFindings(page, allNames), where).toEqual([])
    },
    async close(): Promise<void> {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
    async signIn(server: ParleyServer): Promise<{ email: string; password: string }> {
      const ana = { email: `ana@${journeyDomain()}`, password: 'Correct-Horse-7' }
      expect((await call(server, 'POST', '/api/auth/signup', { body: ana })).status).toBe(201)
      await button('shell.signIn').click()
      await dialog.locator('input[type=email]').fill(ana.email)
      await dialog.locator('input[autocomplete=current-password]').fill(ana.password)
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      return ana
    },
  }
}

test('every screen and dialog in a longer language, in both directions and on both widths: no text of its own, none cut off, nothing over another [CH-007]', async ({
  page,
  server,
  gateway,
}) => {
  test.setTimeout(180_000)
  const { dialog, button, text, look, close, signIn } = screensOf(page)
  /** A menu closes where the window changes its size. */
  const fromMenu = async (menu: string, item: string): Promise<void> => {
    await button(menu).click()
    await page.getByRole('menuitem', { name: said(item), exact: true }).click()
  }
  const box = page.getByRole('textbox', { name: said('chat.message') })

  await speakPseudo(page)
  await look('new chat', text('chat.homeTitle'))
  await button('shell.signIn').click()
  await look('sign in', text('auth.signInTitle', dialog))
  await button('auth.forgotPassword', dialog).click()
  await look('recover', text('auth.recoverTitle', dialog))
  await button('auth.backToLogin', dialog).click()
  await button('auth.getStarted', dialog).click()
  await dialog.locator('input[type=password]').first().fill('x')
  await look('register', text('auth.registerTitle', dialog))
  await close()

  const ana = await signIn(server)

  gateway.next({ text: rich })
  await box.fill('⟦Show⟧')
  await page.keyboard.press('Enter')
  await expect(answers(page).first()).toContainText('⟦C⟧')
  await expect(page.locator('[data-stop]')).toHaveCount(0)
  await look('chat', button('chat.copy'))
  await button('channels.tools').click()
  await look('chat tools', page.getByRole('menu'))
  await fromMenu('channels.tools', 'channels.rename')
  await look('rename', text('channels.renameTitle', dialog))
  await close()
  await fromMenu('channels.tools', 'channels.clear')
  await look('confirmation', text('channels.confirmClear'))
  await page.keyboard.press('Escape')
  await fromMenu('channels.tools', 'members.invite')
  await button('common.ok').click()
  await button('sharing.makeLink', dialog).click()
  await look('members', text('sharing.link', dialog))
  await close()
  await button('chat.forward').click()
  await look('forward', text('chat.forwardTitle', dialog))
  await close()
  await button('channels.menu').click()
  await look('chats menu', page.getByRole('menu'))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: said('shell.ownAccountOf').replace('{{name}}', 'ana'), exact: true }).click()
  await look('account menu', button('shell.shortcuts'))
  await button('shell.shortcuts').click()
  await look('shortcuts', text('shortcuts.help', dialog))
  await close()
  await page.getByRole('navigation').getByText(said('shell.about')).click()
  await look('about the app', text('shell.aboutText', dialog))
  await close()
  await page.keyboard.press('ControlOrMeta+k')
  await look('palette', text('shell.paletteActions'))
  await page.keyboard.press('Escape')
  await page.locator('form [aria-haspopup=dialog]').filter({ hasText: 'Llama' }).click()
  await look('models', text('models.title', dialog))
  await close()

  for (const [tab, shown, dialogs] of [
    [
      'general',
      'settings.system',
      [
        ['settings.export', 'transfer.exportTitle'],
        ['settings.import', 'transfer.importTitle'],
        ['shell.logOut', 'settings.logOutTitle'],
      ],
    ],
    [
      'security',
      'vault.title',
      [
        ['vault.turnOnButton', 'vault.turnOn'],
        ['settings.deleteAccount', 'settings.deleteAccountTitle'],
      ],
    ],
    ['credits', 'billing.available', [['billing.buy', 'payments.title']]],
    ['support', 'settings.getHelp', []],
  ] as const) {
    await page.goto(`${server.url}/settings?tab=${tab}`)
    await look(`settings, ${tab}`, text(shown))
    for (const [opener, title] of dialogs) {
      await page.getByRole('main').getByText(said(opener), { exact: true }).last().click()
      await look(title, text(title, dialog))
      await close()
    }
  }

  const { token } = await otherSession(server, ana)
  const { _id } = (await (await call(server, 'POST', '/v1/assistants', { body: draft, token })).json()) as {
    _id: string
  }
  await page.goto(`${server.url}/assistants`)
  for (const tab of ['agents.top', 'agents.community', 'agents.mine'] as const) {
    await page.getByRole('tab', { name: said(tab) }).click()
    await look(tab, page.getByText('⟦First reader⟧'))
  }
  await button('agents.publish').click()
  await button('agentEditor.next', dialog).click()
  await look('publish', text('agentEditor.missingChoice', dialog))
  await button('agentEditor.chooseAvatar', dialog).click()
  await look('avatars', text('agentEditor.avatars.intro', dialog))
  await page.goto(`${server.url}/assistant/${_id}`)
  await look('agent', button('agents.startChat', dialog))
  await page.goto(`${server.url}/assistant/nobody`)
  await look('no agent', text('agents.notFoundWhy'))
  await page.goto(`${server.url}/sui-assistants`)
  await look('agents of wallets', text('suiAgents.title'))
  await page.goto(`${server.url}/about`)
  await look('about', text('shell.aboutText'))
  await page.goto(`${server.url}/reset-password?token=abc`)
  await look('reset', text('auth.resetTitle'))
  await page.goto(`${server.url}/invite/abcdefghijklmnopqrstuvwxyz`)
  await look('invitation', button('sharing.toApp'))
})

test('likewise a Pix payment that is waited for, a device that is locked, and what is written with a wallet [CH-007]', async ({
  page,
  server,
}) => {
  test.slow()
  const { dialog, button, text, look, signIn } = screensOf(page)
  await speakPseudo(page)
  await signIn(server)
  const at = new Date(Date.now() + 1_200_000).toISOString()
  const payment = {
    ...{ id: '0193f000-0000-7000-8000-000000000000', amount: 25, status: 'pending', method: 'pix' },
    ...{ created_at: at, updated_at: at },
    pix: {
      qr_code: '00020126580014br.gov.bcb.pix',
      tx_info: { currency: 'BRL', amount: '136.50', rate: '5.46', expires_at: at },
    },
  }
  await page.route(/\/api\/billing\/payment(\/[\w-]+)?$/, (route) =>
    route.request().url().endsWith('/user') ? route.fallback() : route.fulfill({ status: 201, json: payment }),
  )
  await page.goto(`${server.url}/settings?tab=credits&pay=25`)
  await dialog.getByRole('radio', { name: said('payments.pix') }).check({ force: true })
  await button('payments.continuePix', dialog).click()
  await look('Pix', text('payments.pixTitle', dialog))

  await page.goto(`${server.url}/settings?tab=security`)
  await button('vault.turnOnButton').click()
  for (const field of await dialog.locator('input[type=password]').all()) await field.fill('seven quiet herons')
  await dialog.getByRole('checkbox').check()
  await button('vault.save', dialog).click()
  await expect(dialog).toBeHidden()
  await look('settings with a passphrase', text('vault.lockNow'))
  await page.reload()
  await look('locked', text('vault.unlockTitle'))
  await button('vault.useCode').click()
  await look('recovery code', text('vault.usePassphrase'))
})

test('likewise the pages that an agent of a wallet is written on [CH-007, AG-089]', async ({ page, server }) => {
  test.slow()
  const { dialog, button, text, look } = screensOf(page)
  await injectStandard(page, new OwnedWallet(sendingWallet().signer), slushKind)
  await page.goto(`${server.url}/app`)
  await speakPseudo(page)
  await button('shell.signIn').click()
  await dialog.getByRole('button', { name: 'Sui', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`${server.url}/sui-assistants`)
  await look('agents of wallets, for a wallet', text('suiAgents.create'))
  await page.goto(`${server.url}/sui-assistant/create`)
  await button('agentEditor.next', dialog).click()
  await look('an agent of a wallet', text('agentEditor.missingChoice', dialog))
})

test('likewise the public pages, with longer texts in each language', async ({ page, server }) => {
  test.slow()
  for (const language of fullLanguages)
    for (const path of ['/', '/roadmap', '/maintenance', '/terms', '/privacy', '/nowhere']) {
      await page.goto(`${server.url}${path}?lang=${language}`)
      await lengthenTexts(page)
      expect.soft(await layoutFindings(page, allNames), `${path} in ${language}`).toEqual([])
    }
})

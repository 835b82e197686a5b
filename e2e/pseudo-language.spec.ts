import type { Locator, Page } from '@playwright/test'
import { answers, expect, journeyDomain } from './journey'
import { layoutFindings } from './layout-findings'
import { call, otherSession, refusalNoise, test } from './people'
import { said, speakPseudo, tag } from './pseudo-language'

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
/** What is the same in every language or comes from `Intl`: names of companies, models and people, what is written in the agent's own language, months. */
const names = [
  /[\w.+-]+@[\w.-]+/,
  /https?:\/\/\S+/,
  /[\w-]+\/[\w.-]+/,
  /llama-3.1-8b-instruct|Llama 3.1 8B|Parley|MetaMask|Phantom|\bSui\b|\bPix\b|\bana\b|English|Português|Español|Filipino/,
  /Hi, I'm|How can I help you\?/,
  /\bAM\b|\bPM\b/,
  new RegExp(months.map((month) => `\\b${month}\\b`).join('|')),
]
const allNames = new RegExp(names.map(({ source }) => source).join('|'))

const rich = '## ⟦A⟧\n\n⟦B⟧ `x`\n\n| ⟦A⟧ | ⟦B⟧ |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```\n\n- [ ] ⟦C⟧'
const draft = {
  ...{ name: '⟦Reader⟧', language: 'en', role: '⟦First reader⟧', about: '⟦Reads.⟧', prompt: '⟦Read⟧' },
  ...{ profileImage: '/api/faces/cold.svg', private: false, enabled: true },
}

test('every screen and dialog in a longer language, in both directions and on both widths: no text of its own, none cut off, nothing over another [CH-007]', async ({
  page,
  server,
  gateway,
}) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(10_000)
  const dialog = page.getByRole('dialog').last()
  const look = async (where: string, shown: Locator): Promise<void> => {
    await expect(shown.first()).toBeVisible()
    expect.soft(await layoutFindings(page, allNames), where).toEqual([])
  }
  const button = (key: string, inside: Page | Locator = page) => inside.getByRole('button', { name: said(key), exact: true }).first()
  const text = (key: string, inside: Page | Locator = page) => inside.getByText(said(key), { exact: true })
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
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

  const ana = { email: `ana@${journeyDomain()}`, password: 'Correct-Horse-7' }
  expect((await call(server, 'POST', '/api/auth/signup', { body: ana })).status).toBe(201)
  await button('shell.signIn').click()
  await dialog.locator('input[type=email]').fill(ana.email)
  await dialog.locator('input[autocomplete=current-password]').fill(ana.password)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

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
  const { _id } = (await (await call(server, 'POST', '/v1/assistants', { body: draft, token })).json()) as { _id: string }
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

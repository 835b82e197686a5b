import type { Locator, Page } from '@playwright/test'
import { aDraft, secretPrompt } from '../apps/server/src/testing/agent-drafts'
import { deep } from './deep'
import { expectNothingSerious } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import {
  ana,
  answers,
  ask,
  bruno,
  call,
  chatRows,
  composer,
  expect,
  networkNoise,
  otherSession,
  refusalNoise,
  signIn,
  signInButton,
  signUp,
  test,
  toastWith,
  untilAnswered,
} from './people'

test.use({ emptyTables: true })

const agentButton = (page: Page) => page.getByRole('button', { name: /^(Agent|Agente): / })
const picker = (page: Page) =>
  page.getByRole('dialog', { name: /^(Choose an agent|Escolha um agente|Elige un agente)$/ })
const rows = (dialog: Locator) => dialog.getByRole('row').filter({ has: dialog.page().getByRole('gridcell') })
const greeting = (page: Page) => page.locator('[data-greeting]')
const speaker = (page: Page, index: number) => answers(page).nth(index).locator(':scope > :first-child')

const texts = {
  languages: [
    { ...aDraft(), language: 'en' as const, defaultGreetings: 'Ahoy! Which lamp?' },
    {
      language: 'pt' as const,
      role: 'Conhece a costa',
      about: 'Sabe de faróis.',
      prompt: 'CANARY-PT',
      defaultGreetings: 'Olá! Qual farol?',
    },
    {
      language: 'es' as const,
      role: 'Conoce la costa',
      about: 'Sabe de faros.',
      prompt: 'CANARY-ES',
      defaultGreetings: '¡Hola! ¿Qué faro?',
    },
  ],
}

/** Ana publishes an agent with a program; Bruno is the stranger. */
async function anAgentOfAna(server: ParleyServer) {
  for (const person of [ana, bruno]) await signUp(server, person)
  const { token } = await otherSession(server, ana)
  const save = async (fields: Parameters<typeof aDraft>[0]): Promise<{ _id: string }> => {
    const answer = await call(server, 'POST', '/v1/assistants', { token, body: aDraft({ ...texts, ...fields }) })
    expect(answer.status).toBeLessThan(300)
    return answer.json()
  }
  const { _id } = await save({})
  return { id: _id, change: (fields: Parameters<typeof aDraft>[0]) => save({ _id, ...fields }), save }
}

/** Everything that reaches the page: answers of calls and frames of sockets. */
function listen(page: Page): { heard: () => Promise<string> } {
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\/(api|v1)\//.test(response.url())) texts.push(response.text().catch(() => ''))
  })
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => texts.push(Promise.resolve(String(payload)))),
  )
  return { heard: async () => (await Promise.all(texts)).join('\n') }
}

async function choose(page: Page, name: string): Promise<void> {
  await agentButton(page).click()
  await expect(picker(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(name)
  await expect(rows(picker(page)).first()).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(picker(page)).toBeHidden()
}

async function keepInCloud(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Where the chat is kept|Onde a conversa|Dónde se guarda)/ }).click()
  await page.getByRole('menuitem').nth(1).click()
}

test.describe('with an agent', () => {
  test.use({ allowedNoise: networkNoise, serviceWorkers: 'allow' })

  test('a chat opens with its greeting, is shaped by instructions that stay on the server, and keeps its face after a reload and offline [ST-073, ST-105]', async ({
    page,
    context,
    server,
    gateway,
  }) => {
    await anAgentOfAna(server)
    const { heard } = listen(page)
    await signIn(page, bruno)
    await expect(agentButton(page)).toHaveAccessibleName('Agent: Parley')
    await agentButton(page).click()
    await expect(rows(picker(page)).nth(3)).toBeVisible()
    await expectNothingSerious(page, 'agent picker')
    await page.keyboard.press('Escape')
    await choose(page, 'Lighthouse keeper')
    await expect(agentButton(page)).toHaveAccessibleName('Agent: Lighthouse keeper')
    await expect(page.getByRole('heading', { level: 1, name: 'Lighthouse keeper' })).toBeVisible()
    await expect(greeting(page)).toHaveText('Ahoy! Which lamp?')
    await expectNothingSerious(page, 'home with an agent')
    // Chosen is chosen, also after a reload.
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Lighthouse keeper' })).toBeVisible()

    await ask(page, 'The third one')
    await expect(answers(page).first()).toContainText('You said: The third one')
    await expect(greeting(page)).toContainText('Ahoy! Which lamp?')
    await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
    await expectNothingSerious(page, 'chat with an agent')
    const asked = gateway.requests.at(-1)?.body.messages ?? []
    expect(asked[0]?.content).toContain(secretPrompt)
    // The greeting is shown and not sent: it costs nothing.
    expect(asked.map(({ role }) => role)).toEqual(['system', 'user'])
    gateway.next({ text: 'The fourth one, rather.' })
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await expect(answers(page).first()).toContainText('The fourth one, rather.')
    expect(gateway.requests).toHaveLength(2)
    expect(gateway.requests.at(-1)?.body.messages[0]?.content).toContain(secretPrompt)
    await ask(page, 'And the fourth?')
    await expect(answers(page).nth(1)).toContainText('You said: And the fourth?')
    expect(gateway.requests.at(-1)?.body.messages[0]?.content).toContain(secretPrompt)
    expect(await heard()).not.toContain('CANARY')

    await untilAnswered(page)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await expect(speaker(page, 1)).toContainText('Lighthouse keeper')
    await context.setOffline(true)
    await page.reload()
    await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
    await expect(greeting(page)).toContainText('Ahoy! Which lamp?')
    await expect(answers(page).nth(1)).toContainText('You said: And the fourth?')
    await expect(speaker(page, 0).locator('img')).toHaveJSProperty('naturalWidth', 512)
    await context.setOffline(false)
  })
})

test.describe('for somebody who reads Portuguese', () => {
  test.use({ locale: 'pt-BR', allowedNoise: refusalNoise })

  test(
    'an agent that its owner makes private answers nobody else any more, in either home, and its chats stay readable',
    deep,
    async ({ page, server, gateway }) => {
      const { change } = await anAgentOfAna(server)
      await signInAsBruno(page)
      for (const mode of ['local', 'cloud'] as const) {
        await page.goto(`${server.url}/app`)
        if (mode === 'local') await choose(page, 'Lighthouse keeper')
        else await keepInCloud(page)
        await expect(greeting(page)).toHaveText('Olá! Qual farol?')
        await ask(page, `While it is public, ${mode}`)
        await expect(answers(page).first()).toContainText(`You said: While it is public, ${mode}`)
        await untilAnswered(page)
        expect(gateway.requests.at(-1)?.body.messages[0]?.content).toContain('CANARY-PT')
      }
      await change({ private: true })
      await expect(chatRows(page)).toHaveCount(2)
      for (const row of await chatRows(page).getByRole('link').all()) {
        await row.click()
        await expect(row).toHaveAttribute('aria-current', 'page')
        await expect(answers(page)).toHaveCount(1)
        await ask(page, 'Still there?')
        await expect(answers(page).nth(1).getByText('Este assistente não está mais disponível.')).toBeVisible()
        await expect(answers(page).nth(1).getByText('Reenviar', { exact: true })).toBeVisible()
        await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
        await expect(greeting(page)).toContainText('Olá! Qual farol?')
      }
      expect(gateway.requests).toHaveLength(2)
      // The new chat has the general assistant again.
      await page.goto(`${server.url}/app`)
      await expect(agentButton(page)).toHaveAccessibleName(/: Parley$/)
      await expect(greeting(page)).toHaveCount(0)
    },
  )
})

/** In any language. */
async function signInAsBruno(page: Page): Promise<void> {
  await signInButton(page).click()
  const panel = page.getByRole('dialog')
  await panel.locator('input[name=email]').fill(bruno.email)
  await panel.locator('input[name=password]').fill(bruno.password)
  await panel.locator('button[type=submit]').click()
  await expect(panel).toBeHidden()
}

test('another agent begins a new chat; moved and forwarded, what was said keeps its agent', async ({
  page,
  server,
  gateway,
}) => {
  const { save } = await anAgentOfAna(server)
  await save({
    name: 'Harbour master',
    languages: [{ ...aDraft(), language: 'en', prompt: 'HARBOUR', defaultGreetings: 'Welcome to port.' }],
  })
  await signIn(page, bruno)
  await choose(page, 'Lighthouse keeper')
  await ask(page, 'First')
  await expect(answers(page).first()).toContainText('You said: First')
  await choose(page, 'Harbour master')
  await expect(greeting(page)).toHaveText('Welcome to port.')
  await expect(chatRows(page)).toHaveCount(1)
  await ask(page, 'Second')
  await expect(answers(page).first()).toContainText('You said: Second')
  await expect(speaker(page, 0)).toContainText('Harbour master')
  expect(gateway.requests.at(-1)?.body.messages[0]?.content).toContain('HARBOUR')
  await expect(chatRows(page)).toHaveCount(2)

  // To the keeper's chat: it was not this one who said it.
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
  await page.getByRole('button', { name: 'Forward' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forward message' })
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(toastWith(page, 'Forwarded to 1 chat')).toBeVisible()
  const other = chatRows(page).getByRole('link').and(page.locator(':not([aria-current])'))
  await other.first().click()
  await expect(answers(page)).toHaveCount(2)
  await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
  await expect(speaker(page, 1)).toContainText('Harbour master')

  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name: 'Move to the cloud' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(toastWith(page, 'Channel created successfully in Cloud!')).toBeVisible()
  await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
  await expect(speaker(page, 1)).toContainText('Harbour master')
  await expect(greeting(page)).toContainText('Ahoy! Which lamp?')
  await ask(page, 'Third')
  await expect(answers(page).nth(2)).toContainText('You said: Third')
  await expect(speaker(page, 2)).toContainText('Lighthouse keeper')
  expect(gateway.requests.at(-1)?.body.messages[0]?.content).toContain(secretPrompt)
})

test(
  'a shared link leads to a chat with the agent, on a phone too [CH-014, ST-107]',
  deep,
  async ({ page, server }) => {
    const { id } = await anAgentOfAna(server)
    await signIn(page, bruno)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Chat settings' }).click()
    await agentButton(page).click()
    await expect(page).toHaveURL(`${server.url}/assistants`)
    await page.goto(`${server.url}/assistant/${id}`)
    await page.getByRole('button', { name: 'Start chat' }).click()
    await expect(page).toHaveURL(`${server.url}/app`)
    await expect(greeting(page)).toHaveText('Ahoy! Which lamp?')
    await ask(page, 'From the phone')
    await expect(answers(page).first()).toContainText('You said: From the phone')
    await expect(speaker(page, 0)).toContainText('Lighthouse keeper')
  },
)

test('an anonymous person is asked to sign in and keeps what is written [ST-107]', deep, async ({ page }) => {
  await composer(page).fill('Not sent yet')
  await agentButton(page).click()
  await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(composer(page)).toHaveValue('Not sent yet')
})

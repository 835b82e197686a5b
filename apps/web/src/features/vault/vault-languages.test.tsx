import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { useVault } from '../../data/vault/vault-state'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

const languages = [
  [
    'pt-BR',
    {
      title: 'Criptografia do dispositivo',
      sealed: [/a chave fica neste dispositivo: quem puder copiar os arquivos/, /Quando você sai, a chave é apagada/],
      locked: [/A chave fica só na memória/, /Um programa que observe este navegador .* ainda poderia/],
      turnOnButton: 'Definir frase',
      turnOn: 'Bloquear com frase secreta',
      recoveryText: /só este código abre suas conversas/,
      fields: ['Nova frase secreta', 'Repita a frase secreta', 'Guardei o código'],
      save: 'Salvar',
      turnOffText: 'Suas conversas passarão a ser seladas apenas ao sair.',
      lockNow: 'Bloquear agora',
      unlockTitle: 'Suas conversas estão bloqueadas',
      unlockText: 'Informe a frase secreta deste dispositivo para abri-las.',
      passphrase: 'Frase secreta',
      useCode: 'Usar o código de recuperação',
      code: 'Código de recuperação',
      usePassphrase: 'Usar a frase secreta',
    },
  ],
  [
    'es-ES',
    {
      title: 'Cifrado del dispositivo',
      sealed: [
        /la clave está en este dispositivo: quien pueda copiar sus archivos/,
        /Al cerrar sesión la clave se borra/,
      ],
      locked: [/La clave está solo en la memoria/, /Un programa que observe este navegador .* sí podría/],
      turnOnButton: 'Definir frase',
      turnOn: 'Bloquear con frase de contraseña',
      recoveryText: /solo este código abre tus chats/,
      fields: ['Nueva frase de contraseña', 'Repite la frase de contraseña', 'He guardado el código'],
      save: 'Guardar',
      turnOffText: 'Tus chats se sellarán entonces solo al cerrar sesión.',
      lockNow: 'Bloquear ahora',
      unlockTitle: 'Tus chats están bloqueados',
      unlockText: 'Introduce la frase de contraseña de este dispositivo para abrirlos.',
      passphrase: 'Frase de contraseña',
      useCode: 'Usar el código de recuperación',
      code: 'Código de recuperación',
      usePassphrase: 'Usar la frase de contraseña',
    },
  ],
] as const

const before = useVault.getState()

beforeEach(() => localStorage.clear())
afterEach(async () => {
  useVault.setState(before)
  await cleanUp()
  forgetSession()
  await setLanguage('en-US')
})

describe.each(languages)('the lock of the chats in %s', (language, said) => {
  const noKeys = () => expect(document.body.textContent).not.toMatch(/\bvault\.\w|\{\{/)

  it('says in plain words what each level protects, and asks for what it needs', async () => {
    localStorage.setItem('language', language)
    await seedSession(aUser({ language }))
    useVault.setState({ status: 'open', settings: { level: 'sealed', hasRecovery: false, idleMinutes: 15 } })
    const { user } = await renderScreen('/settings?tab=security')
    expect(await screen.findByRole('heading', { name: said.title })).toBeTruthy()
    for (const words of said.sealed) expect(screen.getByText(words)).toBeTruthy()
    noKeys()
    await user.click(screen.getByRole('button', { name: said.turnOnButton }))
    const dialog = within(await screen.findByRole('dialog', { name: said.turnOn }))
    expect(dialog.getByText(said.recoveryText)).toBeTruthy()
    for (const field of said.fields) expect(dialog.getByLabelText(field)).toBeTruthy()
    expect(dialog.getByRole('button', { name: said.save })).toBeTruthy()
    noKeys()

    act(() => useVault.setState({ settings: { level: 'locked', hasRecovery: true, idleMinutes: 15 } }))
    for (const words of said.locked) expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText(said.turnOffText)).toBeTruthy()
    expect(screen.getByRole('button', { name: said.lockNow, hidden: true })).toBeTruthy()
    noKeys()

    act(() => useVault.setState({ status: 'locked' }))
    expect(await screen.findByRole('heading', { name: said.unlockTitle })).toBeTruthy()
    expect(screen.getByText(said.unlockText)).toBeTruthy()
    expect(screen.getByLabelText(said.passphrase)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: said.useCode }))
    expect(screen.getByLabelText(said.code)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: said.usePassphrase }))
    expect(screen.getByLabelText(said.passphrase)).toBeTruthy()
    noKeys()
  })
})

import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { isWeb3, shownName, User } from './users'

const base58 = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'

describe('a wallet account', () => {
  it.each([
    'x@erc20',
    'x@solana',
    'x@sui.example',
    `${base58}@example.com`,
    `${base58.slice(0, 32)}@example.com`,
    `0x${'ab'.repeat(32)}@example.com`,
  ])('%s looks like one [CH-069]', (email) => {
    expect(isWeb3({ email })).toBe(true)
  })

  it.each([
    'marina@example.com',
    `${base58.slice(0, 31)}@example.com`,
    `${base58}5@example.com`,
    `0x${'ab'.repeat(31)}@example.com`,
    'erc20@example.com',
  ])('%s looks like none [CH-069]', (email) => {
    expect(isWeb3({ email })).toBe(false)
  })

  it('is what the server says it is, where it says so [CH-069]', () => {
    expect(isWeb3({ email: 'x@erc20', app_metadata: { kind: 'email' } })).toBe(false)
    expect(isWeb3({ email: 'x@example.com', app_metadata: { kind: 'sui' } })).toBe(true)
  })
})

it('a person is shown by the first name that is set, else by the part of the e-mail before the @', () => {
  const person = {
    email: 'marina@example.com',
    name: '',
    user_metadata: { given_name: 'Marina', family_name: 'Duarte' },
  }
  expect(shownName(person)).toBe('Marina Duarte')
  expect(shownName({ ...person, user_metadata: { ...person.user_metadata, display_name: 'Mari' } })).toBe('Mari')
  expect(shownName({ ...person, user_metadata: { display_name: ' ' } })).toBe('marina')
})

it('an account has an id, an e-mail, a name, one of three languages and what is known of the person [ST-072]', () => {
  const known = {
    name: 'M',
    display_name: 'Mari',
    full_name: 'Marina D',
    given_name: 'Marina',
    family_name: 'D',
    language: 'pt-BR',
    picture: 'https://x.example/p',
  }
  const account = {
    email: 'marina@example.com',
    name: 'Marina',
    email_confirmed: true,
    has_password: true,
    app_metadata: { kind: 'email' },
  }
  const user = { ...account, id: '0193f000-0000-7000-8000-000000000001', language: 'pt-BR', user_metadata: known }
  for (const language of ['pt-BR', 'en-US', 'es-ES'])
    expect(z.parse(User, { ...user, language })).toEqual({ ...user, language })
  expect(z.safeParse(User, { ...user, language: 'de-DE' }).success).toBe(false)
})

import { parseArgs } from 'node:util'
import { serverLimits } from '@parley/contract/limits/server'
import { dollars, type Nano, noMoney, parseDollars } from '@parley/contract/money'

export type AdminCommand =
  | { name: 'credits grant'; email: string; amount: Nano; key: string | undefined }
  | { name: 'subscription grant'; email: string; plan: string; until: Date }
  | { name: 'users list'; page: number }
  | { name: 'users block' | 'users unblock'; email: string }
  | { name: 'broadcast'; text: string }
  | { name: 'channel lock' | 'channel unlock'; id: string }
  | { name: 'ledger check' | 'ledger reconcile' | 'payments stray' }

/** A malformed command. */
export class AdminUsageError extends Error {
  override name = 'AdminUsageError'
}

export const adminUsage = [
  'npm run admin -- <command>',
  '',
  '  credits grant --email E --amount A [--key K]   A dollars for an account; with a key of your own a repetition gives nothing twice',
  '  subscription grant --email E --plan P --until YYYY-MM-DD',
  '  users list [--page N]                          newest first',
  '  users block --email E                          ends every session and refuses new ones',
  '  users unblock --email E',
  '  broadcast --text T                             shown at once to everybody who is connected, on all nodes',
  '  channel lock --id ID                           a chat in the cloud that cannot be deleted or cleared',
  '  channel unlock --id ID',
  '  ledger check                                   proves the sums of the credits; fails when something is wrong',
  '  ledger reconcile                               asks the payment providers and the chain as well, as each server does every hour',
  '  payments stray                                 money of deleted accounts, and open payments that no server looks after; fails when there are any',
]

const names = [
  'credits grant',
  'subscription grant',
  'users list',
  'users block',
  'users unblock',
  'broadcast',
  'channel lock',
  'channel unlock',
  'ledger check',
  'ledger reconcile',
  'payments stray',
] as const
const options = {
  email: 'string',
  amount: 'string',
  key: 'string',
  plan: 'string',
  until: 'string',
  page: 'string',
  text: 'string',
  id: 'string',
} as const
type Option = keyof typeof options
type OptionValues = Partial<Record<Option, string>>

/** Throws AdminUsageError. `now` in milliseconds. */
export function parseAdminCommand(args: readonly string[], now: number): AdminCommand {
  const { words, given } = read(args)
  const name = names.find((known) => known === words.join(' '))
  if (name === undefined)
    throw new AdminUsageError(words.length === 0 ? 'Which command?' : `There is no command "${words.join(' ')}".`)
  switch (name) {
    case 'credits grant':
      only(given, ['email', 'amount', 'key'])
      return { name, email: needed(given, 'email'), amount: amountOf(needed(given, 'amount')), key: given.key }
    case 'subscription grant':
      only(given, ['email', 'plan', 'until'])
      return {
        name,
        email: needed(given, 'email'),
        plan: needed(given, 'plan'),
        until: endOf(needed(given, 'until'), now),
      }
    case 'users list':
      only(given, ['page'])
      return { name, page: pageOf(given.page ?? '0') }
    case 'users block':
    case 'users unblock':
      only(given, ['email'])
      return { name, email: needed(given, 'email') }
    case 'broadcast':
      only(given, ['text'])
      return { name, text: textOf(needed(given, 'text')) }
    case 'channel lock':
    case 'channel unlock':
      only(given, ['id'])
      return { name, id: needed(given, 'id') }
    case 'ledger check':
    case 'ledger reconcile':
    case 'payments stray':
      only(given, [])
      return { name }
  }
}

function read(args: readonly string[]): { words: string[]; given: OptionValues } {
  try {
    const known = Object.fromEntries(Object.entries(options).map(([name, type]) => [name, { type }]))
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true })
    const given: OptionValues = {}
    for (const name of Object.keys(options) as Option[])
      if (typeof values[name] === 'string') given[name] = values[name]
    return { words: positionals, given }
  } catch (error) {
    throw new AdminUsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Refuses options that the command does not have. */
function only(given: OptionValues, allowed: Option[]): void {
  const [odd] = (Object.keys(given) as Option[]).filter((name) => !allowed.includes(name))
  if (odd !== undefined) throw new AdminUsageError(`This command takes no --${odd}.`)
}

function needed(given: OptionValues, name: Option): string {
  const value = given[name]?.trim()
  if (!value) throw new AdminUsageError(`--${name} is missing.`)
  return value
}

function amountOf(text: string): Nano {
  const amount = parseDollars(text)
  const most = serverLimits.credits.mostDollarsGranted
  if (amount === undefined || amount <= noMoney || amount > dollars(most))
    throw new AdminUsageError(`--amount must be dollars above 0 and up to ${most}, such as 5 or 0.25.`)
  return amount
}

/** The end of that day, in UTC. */
function endOf(text: string, now: number): Date {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  // 31 February is read as a day in March.
  if (!start || Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== text)
    throw new AdminUsageError('--until must be a day, such as 2027-01-31.')
  const end = new Date(start.getTime() + 86_400_000)
  if (end.getTime() <= now) throw new AdminUsageError('--until is over already.')
  return end
}

function pageOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new AdminUsageError('--page must be a whole number from 0.')
  return Number(text)
}

function textOf(text: string): string {
  const most = serverLimits.broadcast.maxLength
  if (text.length > most) throw new AdminUsageError(`--text may have at most ${most} characters.`)
  return text
}

// Part of npm run check: nothing in the data of the web app is a variable of its module. What belongs to a person is a
// part of their scope (data/scope/scope.ts), or the next person of the page would find it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'apps/web/src/data'

/** What is of the page, whoever uses it, and why. */
const allowed = {
  'scope/scope.ts': { current: 'the scope itself', stores: 'which stores begin anew with each scope' },
  'chat/chat-notices.ts': { listeners: 'functions of this page, which subscribe and leave by themselves' },
  'local/changes.ts': {
    listeners: 'functions of this page, which subscribe and leave by themselves',
    tabs: 'the channel to the other tabs of this browser',
  },
  'payments/token-transfers.ts': { listeners: 'functions of this page, which subscribe and leave by themselves' },
  'local/tab-lock.ts': { tails: 'the locks of this tab where the browser has none' },
  'session/access-token.ts': { onExpired: 'what the page does at the end of any session' },
  'vault/vault-state.ts': { isLeaving: 'this page is being reloaded' },
  'channels/device-storage.ts': { hasRequested: 'the browser is asked once by each page' },
  'chat/queue-state.ts': { loadPump: 'where code is' },
}

const variable = /^(?:export )?(?:let|var) (\w+)/
const collection = /^(?:export )?const (\w+)(: [^=]+)? = (?:\/\*.*\*\/ )?new (?:Map|Set|WeakMap|WeakSet)\b/

const found = readdirSync(folder, { recursive: true })
  .map((name) => String(name).replaceAll('\\', '/'))
  // A worker is a page of its own; suites and tests have their own page, too.
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|-worker\.ts$|-suite\.ts$/.test(name))
  .flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const table = collection.exec(text)
        const isConstant = table?.[2]?.startsWith(': Readonly') ?? false
        const own = variable.exec(text)?.[1] ?? (isConstant ? undefined : table?.[1])
        return own === undefined ? [] : [{ name, line: index + 1, own }]
      }),
  )

const refused = found.filter(({ name, own }) => allowed[name]?.[own] === undefined)
for (const { name, line, own } of refused)
  console.log(`${join(folder, name)}:${line} keeps \`${own}\` for whoever comes next: make it a part of the scope.`)
const unused = Object.entries(allowed).flatMap(([name, names]) =>
  Object.keys(names)
    .filter((own) => !found.some((each) => each.name === name && each.own === own))
    .map((own) => `${name}: ${own}`),
)
for (const each of unused) console.log(`${each} is allowed by scripts/check-state.mjs, and is not there any more.`)
process.exitCode = refused.length + unused.length === 0 ? 0 : 1

// A device's storage and the real cloud, as one browser has them.
import '../apps/web/src/testing/device-storage'
import { treeOf, versionOf } from '@parley/contract/conversation-tree'
import { type ConversationCopy, headOf, tidied } from '@parley/contract/tree-copies'
import { uuidv7 } from '@parley/contract/uuid'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { buildTestApp, type TestApp } from '../apps/server/src/testing/build-test-app'
import { Client, goodPassword } from '../apps/server/src/testing/person'

const { fetch } = globalThis
let app: TestApp
/** The call to the server that is cut off, before or after the server has answered it. */
export const cut = { calls: Number.POSITIVE_INFINITY, isAfter: false }

async function open(env: Record<string, string>): Promise<void> {
  app = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0', ...env }, keepOpen: true })
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  Object.assign(globalThis, {
    localStorage: storage,
    sessionStorage: storage,
    location: new URL(`${app.url}/app`),
    document: { documentElement: { lang: 'en-US' }, querySelector: () => null },
    addEventListener: () => undefined,
    dispatchEvent: () => true,
    fetch: async (path: string, init?: RequestInit) => {
      const isCut = --cut.calls === 0
      if (isCut && !cut.isAfter) throw new TypeError('Failed to fetch')
      const answer = await fetch(new URL(path, app.url), init)
      if (isCut) throw new TypeError('Failed to fetch')
      return answer
    },
  })
  await signIn()
}

/** A browser with a device's storage and somebody signed in, and a server, while the tests of a file run. */
export function useBothHomes(env: () => Promise<Record<string, string>> = async () => ({})): void {
  beforeAll(async () => open(await env()))
  afterAll(async () => {
    globalThis.fetch = fetch
    await app.close()
  })
  beforeEach(() => {
    cut.calls = Number.POSITIVE_INFINITY
  })
}

async function signIn(): Promise<void> {
  const { AccountVault } = await import('../apps/web/src/data/local/account-vault')
  const { storeSession } = await import('../apps/web/src/data/session/stored-session')
  const email = `${uuidv7()}@example.org`
  const person = new Client(app, null)
  await person.signUp(email, goodPassword)
  const answer = await person.login(email)
  await AccountVault.signIn(answer.user.id, 'A'.repeat(43))
  storeSession(answer.user, answer, 'web2')
}

export async function theWeb() {
  const { cloudChannels } = await import('../apps/web/src/data/channels/homes')
  const { localChannels } = await import('../apps/web/src/data/channels/local-channels')
  const { moveToCloud, moveToDevice } = await import('../apps/web/src/data/channels/move-channel')
  const { readCloudTree } = await import('../apps/web/src/data/channels/cloud-trees')
  const { copyOf } = await import('../apps/web/src/data/channels/chat-records')
  const { exportData } = await import('../apps/web/src/data/transfer/export-data')
  const { checkFile, importData } = await import('../apps/web/src/data/transfer/import-data')
  return {
    cloudChannels,
    localChannels,
    moveToCloud,
    moveToDevice,
    readCloudTree,
    copyOf,
    exportData,
    checkFile,
    importData,
  }
}

/** All of a chat in its home. */
export async function whole(id: string): Promise<ConversationCopy> {
  const { localChannels, readCloudTree, copyOf } = await theWeb()
  const here = await localChannels.readWhole(id)
  return tidied(here ? copyOf(here) : await readCloudTree(id))
}

/**
 * As it is told in each home: which run was on the wire, and which of the author's ids, is known to one of them. What
 * follows a run that another one goes on with follows their whole answer.
 */
export const told = (copy: ConversationCopy) => {
  const { exchanges } = tidied(copy)
  const tree = treeOf(
    exchanges.map(({ exchange }) => exchange),
    exchanges.flatMap(({ runs }) => runs),
  )
  const whole = (id: string | null): string | null => (id === null ? null : (versionOf(tree, id)?.id ?? id))
  return {
    head: whole(headOf(tidied(copy))),
    exchanges: exchanges.map(({ exchange: { channelId: _channel, ...exchange }, runs }) => ({
      exchange: { ...exchange, afterRunId: whole(exchange.afterRunId) },
      runs: runs.map(({ channelId: _own, seq: _seq, ...run }) => run),
    })),
  }
}

const work = { onProgress: () => undefined, signal: new AbortController().signal }

const types = ['channels', 'chats', 'documents'] as const

export async function exported(storageType: 'local' | 'cloud', passphrase?: string): Promise<File> {
  const { exportData } = await theWeb()
  const { blob } = await exportData({ types, storageType, passphrase }, { ...work, handle: undefined })
  if (!blob) throw new Error('no file')
  return new File([blob], 'data.zip')
}

export async function imported(
  file: File,
  target: 'local' | 'cloud',
  strategy: 'overwrite' | 'merge' | 'skip' = 'overwrite',
  passphrase?: string,
) {
  const { checkFile, importData } = await theWeb()
  return importData(await checkFile(file, passphrase, work), { types, strategy, target }, work)
}

/** What an import would add to each home. */
export async function previewed(file: File, target: 'local' | 'cloud', passphrase?: string) {
  const { checkFile } = await theWeb()
  const { openPreview } = await import('../apps/web/src/data/transfer/preview-import')
  const preview = await openPreview(await checkFile(file, passphrase, work), work.signal)
  return preview({ types, strategy: 'merge', target })
}

export async function wipe(): Promise<void> {
  const { cloudChannels, localChannels } = await theWeb()
  await localChannels.removeAll()
  await cloudChannels.removeAll()
}

export const aChannel = async () => {
  const { localChannels } = await theWeb()
  return localChannels.create({ assistantId: null })
}

// Which file a module goes to: what the app needs before it shows anything, what a question needs, what a chat shows,
// and the rest.
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/** JavaScript that the app's page loads before it can be used, compressed. The benchmark `load` measures it too. */
const mostFirstLoadBytes = 150_000

const pathOf = (name: string): string => fileURLToPath(new URL(`src/${name}`, import.meta.url))

/**
 * What the app needs before it shows anything: what the entry imports, and what that imports, without what is loaded
 * later.
 */
const firstLoad = new Set<string>()
/** Of the icons only those that it names itself: their package has one entry that imports all of them. */
const firstIcons = new Set<string>()

const iconNames = /import\s*\{([^}]*)\}\s*from\s*['"]lucide-react['"]/g
const iconFile = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.m?js$/

/** `Share2` and `share-2` */
const iconKey = (name: string): string => name.replaceAll('-', '').toLowerCase()

export function isFirstLoad(moduleId: string, context: Rolldown.ChunkingContext): boolean {
  if (firstLoad.size === 0)
    visitImports([pathOf('main.tsx')], { context, visited: firstLoad, onModule: (module) => noteIcons(module?.code) })
  const [, icon] = iconFile.exec(moduleId) ?? []
  return firstLoad.has(moduleId) && (icon === undefined || firstIcons.has(iconKey(icon)))
}

function noteIcons(code: string | null | undefined): void {
  for (const [, names = ''] of code?.matchAll(iconNames) ?? [])
    for (const name of names.split(',')) firstIcons.add(iconKey(name.trim().split(/\s+as\s+/)[0] ?? ''))
}

/** What sends a question, receives its answer, and reads and writes the messages of a chat. */
const askingEntries = [
  'data/chat/send-message.ts',
  'data/chat/chat-runner.ts',
  'data/channels/put-message.ts',
  'data/channels/local-messages.ts',
  'data/channels/chat-records.ts',
  'data/channels/patch-messages.ts',
  'data/channels/channel-sources.ts',
]
const asking = new Set<string>()

/** What each chat draws, beside what is there before it opens. */
const chatEntries = [
  'features/chat/chat-view.tsx',
  'features/chat/context-gauge.tsx',
  'features/chat/question-tools.tsx',
  'features/chat/version-switch.tsx',
  'features/chat/pin-mark.tsx',
  'features/channels/channel-parts.ts',
  'features/outline/outline-button.tsx',
  'features/sources/sources-bar.tsx',
  'features/sources/sources-wait.tsx',
  'data/channels/list-sources.ts',
  'data/channels/local-summaries.ts',
]
const chat = new Set<string>()

/** It is not part of a chat's file: without it an answer is read as it is written. */
const markdownEntry = 'ui/markdown/markdown.tsx'
const markdown = new Set<string>()
/** Its sheets come with what chats and other screens have in common: it can be loaded, or fail, by itself. */
const isSheet = /\.css$/
/** A library of Markdown names it, for what nobody here asks of it. Formulas load it themselves. */
const isOfFormulas = /\/node_modules\/katex\//

/** What may be opened without a chat: what it has in common with one must not bring the chat along. */
const otherEntries = [
  markdownEntry,
  'screens/agents-screen.tsx',
  'screens/settings-screen.tsx',
  'screens/shared-agent-screen.tsx',
  'screens/invite-screen.tsx',
  'screens/about-screen.tsx',
  'features/auth/login-panel.tsx',
  'features/vault/unlock-screen.tsx',
]
const others = new Set<string>()

/** In the order in which they choose. All come at the first sign of the person, five files instead of seventy. */
export const laterParts = ['asking', 'icons', 'common', 'chat', 'markdown'] as const

/** Undefined for the first load, and for what comes when it is asked for. */
export function laterPartOf(
  moduleId: string,
  context: Rolldown.ChunkingContext,
): (typeof laterParts)[number] | undefined {
  if (asking.size === 0) {
    visitImports(askingEntries.map(pathOf), { context, visited: asking })
    visitImports(chatEntries.map(pathOf), { context, visited: chat })
    visitImports([pathOf(markdownEntry)], { context, visited: markdown })
    visitImports(otherEntries.map(pathOf), { context, visited: others })
  }
  if (isFirstLoad(moduleId, context) || isOfFormulas.test(moduleId)) return undefined
  // A few hundred bytes each, and each would be a request.
  if (iconFile.test(moduleId)) return 'icons'
  if (asking.has(moduleId)) return 'asking'
  if (chat.has(moduleId)) return others.has(moduleId) ? 'common' : 'chat'
  if (!markdown.has(moduleId)) return undefined
  return isSheet.test(moduleId) ? 'common' : 'markdown'
}

type Visit = {
  context: Rolldown.ChunkingContext
  visited: Set<string>
  onModule?: (module: Rolldown.ModuleInfo | null) => void
}

function visitImports(ids: readonly string[], { context, visited, onModule }: Visit): void {
  for (const id of ids) if (!context.getModuleInfo(id)) throw new Error(`${id} is named here, and not in the build`)
  const left = [...ids]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (visited.has(id)) continue
    visited.add(id)
    const module = context.getModuleInfo(id)
    onModule?.(module)
    left.push(...(module?.importedIds ?? []))
  }
}

/** Says how much JavaScript the app's page loads first, and refuses more than it may be. */
export function firstLoadLimit(): Plugin {
  return {
    name: 'parley-first-load-limit',
    apply: 'build',
    // Not before: Vite writes the lists of what each later part loads into the code.
    writeBundle(_options, bundle) {
      const files = new Set<string>()
      const visit = (fileName: string): void => {
        const file = bundle[fileName]
        if (file?.type !== 'chunk' || files.has(fileName)) return
        files.add(fileName)
        file.imports.forEach(visit)
      }
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && file.moduleIds.includes(pathOf('main.tsx'))) visit(file.fileName)
      const bytes = [...files].reduce((sum, name) => sum + compressedSize(bundle[name]), 0)
      process.stdout.write(`First load: ${files.size} scripts, ${(bytes / 1000).toFixed(1)} kB compressed.\n`)
      if (bytes === 0 || bytes > mostFirstLoadBytes)
        throw new Error(`the first load has ${bytes} bytes of JavaScript: at most ${mostFirstLoadBytes}`)
    },
  }
}

const compressedSize = (file: Rolldown.OutputBundle[string] | undefined): number =>
  file?.type === 'chunk' ? brotliCompressSync(file.code).length : 0

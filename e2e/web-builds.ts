// A folder that a server gives the app from, in which one build takes the place of another, as a deployment does.
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const built = new URL('../apps/web/dist', import.meta.url).pathname
const hashedName = /([\w.~-]+-)([\w-]{8})(\.(?:js|css|woff2?|ttf|svg|png))(?:\.br|\.gz)?$/

export class WebBuilds {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parley-web-'))
  /** Give this to the server as WEB_DIR. */
  readonly dir = join(this.folder, 'web')

  constructor() {
    cpSync(built, this.dir, { recursive: true })
  }

  /**
   * Deploys a build in which every hashed file has another name, as after a change that reached them all, and nothing
   * of the one before is left. Answers with what the page calls it.
   */
  deployNext(): string {
    const next = join(this.folder, 'next')
    cpSync(built, next, { recursive: true, filter: (file) => !/\.(?:br|gz)$/.test(file) })
    const assets = join(next, 'assets')
    const names = new Map(
      readdirSync(assets).map((name) => [
        name,
        name.replace(hashedName, (_, stem, hash, end) => `${stem}${turned(hash)}${end}`),
      ]),
    )
    const build = /parley-build" content="(\w+)"/.exec(readFileSync(join(next, 'index.html'), 'utf8'))?.[1] ?? ''
    const renamed = (text: string): string =>
      text
        .replaceAll(/[\w.~-]+-[\w-]{8}\.(?:js|css|woff2?|ttf|svg|png)/g, (name) => names.get(name) ?? name)
        .replaceAll(build, turned(build))
    for (const [name, to] of names) {
      const file = join(assets, name)
      if (/\.(?:js|css)$/.test(name)) writeFileSync(file, renamed(readFileSync(file, 'utf8')))
      renameSync(file, join(assets, to))
    }
    const visits = readdirSync(join(next, 'first-visit')).map((name) => join('first-visit', name))
    for (const name of ['index.html', 'sw.js', ...visits])
      writeFileSync(join(next, name), renamed(readFileSync(join(next, name), 'utf8')))
    renameSync(this.dir, join(this.folder, 'former'))
    renameSync(next, this.dir)
    return turned(build)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Of the same length and letters, and another one. */
const turned = (hash: string): string =>
  [...hash]
    .reverse()
    .join('')
    .replace(/^/, hash[0] === hash.at(-1) ? 'x' : '')
    .slice(0, hash.length)

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { madeOfFile } from './stored-page'

it('makes a page anew when another build takes its place, and keeps it while there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [file, next] = [join(folder, 'index.html'), join(folder, 'next.html')]
  const made: string[] = []
  writeFileSync(file, 'one')
  const page = madeOfFile(file, (text) => {
    made.push(text)
    return text.toUpperCase()
  })
  expect([page(), page()]).toEqual(['ONE', 'ONE'])
  rmSync(file)
  expect(page()).toBe('ONE')
  writeFileSync(next, 'two')
  renameSync(next, file)
  expect([page(), page()]).toEqual(['TWO', 'TWO'])
  expect(made).toEqual(['one', 'two'])
})

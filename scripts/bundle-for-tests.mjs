// Before Vitest's server tests: the files that they run as processes of their own (apps/server/src/testing/run-source.ts). As JavaScript they start in a third of
// the time that they take from their source.
import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer } from './server-bundle.mjs'

const server = fileURLToPath(new URL('../apps/server/', import.meta.url))
const ofTests = readdirSync(`${server}src/testing`).filter((file) => /-(node|writer|holder)\.ts$/.test(file))
const programs = ['main.ts', 'admin-command.ts', ...ofTests.map((file) => `testing/${file}`)]

function bundle() {
  return bundleServer({ files: Object.fromEntries(programs.map((file) => [parse(file).name, file])), to: `${server}.cache`, sourcemap: false })
}

/** @param {import('vitest/node').TestProject} project */
export default async function bundleForTests(project) {
  await bundle()
  project.onTestsRerun(bundle)
}

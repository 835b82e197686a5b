#!/usr/bin/env node
// Starts the system's Firefox for Playwright, which speaks WebDriver BiDi with it. Stands between the two: commands of
// the protocol that a released Firefox does not know yet, and that change nothing which the journeys look at, are
// answered here.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const unknown = new Set(['emulation.setMediaFeaturesOverride'])
const program = process.env.FIREFOX_PATH ?? ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
if (!program) throw new Error('There is no Firefox: install firefox-esr, or set FIREFOX_PATH to its program.')

const firefox = spawn(program, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => firefox.kill(signal))

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
  if (url === undefined) process.stderr.write(`${line}\n`)
  else listenFor(url)
})

function listenFor(url) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`)
  })
  server.on('connection', (playwright, request) => {
    const browser = new WebSocket(url + request.url)
    const early = []
    browser.on('open', () => {
      for (const text of early.splice(0)) browser.send(text)
    })
    playwright.on('message', (data) => {
      const text = data.toString()
      const { id, method } = JSON.parse(text)
      if (unknown.has(method)) playwright.send(JSON.stringify({ type: 'success', id, result: {} }))
      else if (browser.readyState === WebSocket.OPEN) browser.send(text)
      else early.push(text)
    })
    browser.on('message', (data) => playwright.send(data.toString()))
    browser.on('close', () => playwright.close())
    playwright.on('close', () => browser.close())
  })
}

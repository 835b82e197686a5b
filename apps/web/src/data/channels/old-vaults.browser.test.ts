import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf } from '../../testing/depth'
import { anAnonymousVault, anonymousVault, answersOf, expectedOf, openAnonymous } from '../../testing/vaults/old-vaults'
import { convertMessages } from '../local/convert-messages'
import { describeOldVaults, oldFormsIn } from './old-vaults-suite'

describeOldVaults('Chromium')

const longChat = 120

/**
 * Converts in a worker, and ends that at some moment, as the browser ends a page. Answers whether it was over before.
 */
function convertAndKill(name: string, afterMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../../testing/vaults/convert-worker.ts', import.meta.url), { type: 'module' })
    const end = (isOver: boolean): void => {
      worker.terminate()
      resolve(isOver)
    }
    worker.onerror = (event) => reject(new Error(event.message))
    worker.onmessage = ({ data }) => (data === 'done' ? end(true) : setTimeout(() => end(false), afterMs))
    worker.postMessage(name)
  })
}

it('a conversion whose thread is killed at any moment loses nothing and ends', async () => {
  const moments = fc.sample(fc.nat(200), 500)
  let { name } = await anAnonymousVault({ longChat })
  let kills = 0
  while (kills < runsOf(50)) {
    if (!(await convertAndKill(name, moments.pop() ?? 0))) {
      kills++
      continue
    }
    await expectWhole(name)
    name = (await anAnonymousVault({ longChat })).name
  }
  const device = await openAnonymous(name)
  await convertMessages(async () => device)
  device.db.close()
  await expectWhole(name)
})

async function expectWhole(name: string): Promise<void> {
  const device = await openAnonymous(name)
  expect(await oldFormsIn(device)).toBe(3)
  const { channels, messages } = expectedOf(anonymousVault, { isConverted: true })
  expect(await answersOf(device)).toEqual({
    channels,
    messages: { ...messages, long: messages.long?.slice(0, longChat) },
  })
  device.db.close()
}

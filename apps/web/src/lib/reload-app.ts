/** A network that swallows packets must not keep anyone on a page that is broken. */
const takeOverMs = 5_000

/**
 * Loads the page anew, with the newest version of the app that can be had: a worker that waits takes over first,
 * because the one that serves this page would serve its own old files again.
 */
export async function reloadApp(): Promise<void> {
  const { serviceWorker } = navigator
  if (serviceWorker?.controller)
    await Promise.race([
      takeNewVersion(serviceWorker).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, takeOverMs)),
    ])
  location.reload()
}

async function takeNewVersion(container: ServiceWorkerContainer): Promise<void> {
  const registration = await container.getRegistration()
  if (!registration) return
  if (!registration.waiting) await registration.update()
  if (registration.installing) await isInstalled(registration.installing)
  if (!registration.waiting) return
  const isTakenOver = new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true }))
  registration.waiting.postMessage({ type: 'SKIP_WAITING' })
  await isTakenOver
}

function isInstalled(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (worker.state !== 'installing') resolve()
    }
    worker.addEventListener('statechange', look)
    look()
  })
}

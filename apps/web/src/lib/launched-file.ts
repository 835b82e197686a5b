type LaunchQueue = { setConsumer: (consumer: (launch: { files?: readonly FileSystemFileHandle[] }) => void) => void }

/** Hears of a file that somebody opened with the installed app, also of one that was opened before anybody listened. */
export function onLaunchedFile(listener: (file: File) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue }
  launchQueue?.setConsumer(({ files = [] }) => {
    // A file that is gone by now has nothing to tell.
    files[0]?.getFile().then(listener, () => undefined)
  })
}

declare global {
  interface Window {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
  }
}

/**
 * Where the person wants a file; no handle where the browser only has downloads. Undefined when they decided against
 * it. To be asked within a click.
 */
export async function chooseSaveFile(
  suggestedName: string,
): Promise<{ handle: FileSystemFileHandle | undefined } | undefined> {
  if (!window.showSaveFilePicker) return { handle: undefined }
  try {
    return { handle: await window.showSaveFilePicker({ suggestedName }) }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // Forbidden here, such as in a frame: a download still works.
    return { handle: undefined }
  }
}

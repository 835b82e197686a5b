/** Hands a file to the browser's downloads. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download reads the address after this task; a minute is more than any browser takes to start.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

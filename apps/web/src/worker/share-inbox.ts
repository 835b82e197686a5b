/** What another app gives to Parley. */
export type Shared = { title: string; text: string; url: string; files: File[] }

/** For as long as a page takes to open, and a person to unlock their chats. */
const keepMs = 60_000

/**
 * Holds what was shared until a page takes it. In memory alone: on the device's disk nothing is kept that is not
 * sealed.
 */
export class ShareInbox {
  private shared: Shared | undefined
  private release: (() => void) | undefined

  /** `kept`: resolves when it was taken or given up. A worker that waits for it is not ended before. */
  async put(request: Request): Promise<{ kept: Promise<void> }> {
    const form = await request.formData()
    const text = (name: string): string => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    const files = form.getAll('files').filter((file) => file instanceof File)
    this.release?.()
    this.shared = { title: text('title'), text: text('text'), url: text('url'), files }
    const kept = new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.take(), keepMs)
      this.release = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    return { kept }
  }

  /** Once. */
  take(): Shared | undefined {
    const { shared } = this
    this.shared = undefined
    this.release?.()
    this.release = undefined
    return shared
  }
}

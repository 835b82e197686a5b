import { t } from '../i18n/interface-language'
import { reloadApp } from '../lib/reload-app'
import { reloadToast } from '../ui/toast'

const errorsBeforePrompt = 5

/** After several errors that nobody handled, the page offers to start afresh, once. */
export function watchErrors(): void {
  let errors = 0
  const count = (event: Event) => {
    if (isResizeNote(event)) return
    errors++
    if (errors === errorsBeforePrompt)
      void reloadToast(t('shell.manyErrors')).then((agreed) => (agreed ? reloadApp() : undefined))
  }
  addEventListener('error', count)
  addEventListener('unhandledrejection', count)
}

/**
 * What browsers say of sizes that changed once more in the frame in which they were looked at: a growing answer does
 * that, and nothing is broken.
 */
function isResizeNote(event: Event): boolean {
  return event instanceof ErrorEvent && event.message.startsWith('ResizeObserver loop')
}

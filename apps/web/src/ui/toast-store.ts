import { create } from 'zustand'

/** Normal toasts last this long, confirmations and the reload toast as long as below (document 1, section 9). */
export const toastMs = 3_000
export const confirmMs = 15_000
const maxShown = 3

export type Toast = {
  id: number
  tone: 'success' | 'error' | 'info' | 'loading' | 'notice'
  text: string
  action?: ToastAction
}

/** What can be done about it; it ends the toast. */
export type ToastAction = { label: string; run: () => void }

type Question = { message: string; okLabel?: string; cancelLabel?: string; danger?: boolean }

/**
 * A person asked for a confirmation and answers it now; a reload is offered, to somebody who is doing something else.
 */
export type Confirmation = Question & { id: number; kind: 'confirm' | 'reload'; settle: (agreed: boolean) => void }

type State = { toasts: Toast[]; confirmations: Confirmation[] }

/**
 * What stands in the toast area. Of the confirmations only the first is shown: a second one waits until the first is
 * answered, an offer to reload until all are.
 */
export const useToasts = create<State>(() => ({ toasts: [], confirmations: [] }))

let lastId = 0
const nextId = (): number => ++lastId

function show(tone: Toast['tone'], text: string, action?: ToastAction): number {
  const id = nextId()
  useToasts.setState(({ toasts }) => {
    // The same words twice in a row say no more than once.
    const others = toasts.filter((toast) => toast.text !== text || toast.tone !== tone)
    return { toasts: makeRoom([...others, { id, tone, text, ...(action ? { action } : {}) }]) }
  })
  return id
}

/**
 * The oldest that would end by itself makes room; one that says that something is under way, or waits to be read, stays
 * while it can.
 */
function makeRoom(toasts: Toast[]): Toast[] {
  if (toasts.length <= maxShown) return toasts
  const passing = toasts.slice(0, -1).find(({ tone }) => tone !== 'loading' && tone !== 'notice') ?? toasts[0]
  return makeRoom(toasts.filter((toast) => toast !== passing))
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

export const toast = {
  success: (text: string): void => void show('success', text),
  error: (text: string): void => void show('error', text),
  info: (text: string): void => void show('info', text),
  /** Stays until the person closes it, or does what it offers. */
  notice: (text: string, action?: ToastAction): void => void show('notice', text, action),
  /** Stays until it is dismissed. */
  loading(text: string): { update: (text: string) => void; dismiss: () => void } {
    const id = show('loading', text)
    return {
      update: (next) =>
        useToasts.setState(({ toasts }) => ({
          toasts: toasts.map((each) => (each.id === id ? { ...each, text: next } : each)),
        })),
      dismiss: () => dismissToast(id),
    }
  },
}

/** Asks in a toast with Cancel and Ok. No answer within 15 s counts as cancel. */
export function confirmToast(question: Question): Promise<boolean> {
  return ask('confirm', question)
}

/** Offers a reload for 15 s, without taking the focus from what the person is writing. */
export function reloadToast(message: string): Promise<boolean> {
  return ask('reload', { message })
}

function ask(kind: Confirmation['kind'], question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId()
    const settle = (agreed: boolean): void => {
      useToasts.setState(({ confirmations }) => ({ confirmations: confirmations.filter((each) => each.id !== id) }))
      resolve(agreed)
    }
    useToasts.setState(({ confirmations }) => {
      const asked = { ...question, id, kind, settle }
      // What the person has just asked for does not wait behind an offer that nobody asked for.
      const offers = kind === 'confirm' ? confirmations.filter((each) => each.kind === 'reload') : []
      return { confirmations: [...confirmations.filter((each) => !offers.includes(each)), asked, ...offers] }
    })
  })
}

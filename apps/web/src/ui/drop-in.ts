/**
 * A ref that lets an element arrive once. A style's own animation would run again whenever the toast area moves to
 * another dialog.
 */
export function dropIn(element: HTMLElement | null): void {
  if (!element?.animate || prefersStill()) return
  element.animate([{ opacity: 0, transform: 'translateY(-8px)' }, {}], {
    duration: 200,
    easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
  })
}

export const prefersStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whether the page is written from right to left. */
export const isRtl = (): boolean => document.documentElement.dir === 'rtl'

/**
 * The arrow keys as they lead along the line, which runs the other way where the page is written from right to left.
 */
export const forwardKey = (): string => (isRtl() ? 'ArrowLeft' : 'ArrowRight')
export const backwardKey = (): string => (isRtl() ? 'ArrowRight' : 'ArrowLeft')

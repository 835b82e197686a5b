/** Once the browser has nothing else to do. Not every browser tells. */
export function whenIdle(action: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => action())
  else setTimeout(action)
}

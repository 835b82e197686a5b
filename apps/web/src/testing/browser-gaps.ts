// What happy-dom lacks and the components use; the journeys in a real browser show the rest.
const element = HTMLElement.prototype

element.showPopover ??= function showPopover(this: HTMLElement) {
  this.dataset.popoverOpen = ''
}
element.hidePopover ??= function hidePopover(this: HTMLElement) {
  delete this.dataset.popoverOpen
}
Element.prototype.scrollIntoView ??= () => undefined

// happy-dom lays nothing out: to a virtual list every element is 34 px high in a view of 800 px, so that it draws what
// a screen would show.
globalThis.ResizeObserver = class implements ResizeObserver {
  constructor(private readonly tell: ResizeObserverCallback) {}
  observe(target: Element): void {
    const isScroller = target instanceof HTMLElement && target.style.overflowY !== ''
    const contentRect = new DOMRect(0, 0, 280, isScroller ? 800 : 34)
    queueMicrotask(() =>
      this.tell([{ target, contentRect, borderBoxSize: [], contentBoxSize: [], devicePixelContentBoxSize: [] }], this),
    )
  }
  unobserve(): void {}
  disconnect(): void {}
}
Object.defineProperty(element, 'offsetParent', { configurable: true, get: (): Element => document.body })

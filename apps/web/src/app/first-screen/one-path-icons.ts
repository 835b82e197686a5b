const icon = /(<svg [^>]*class="lucide [^>]*>)(.*?)<\/svg>/gs
const shape = /<(\w+)([^>]*)><\/\1>/g

/**
 * Markup whose icons are of one path each: half of all elements of the first screen were parts of its icons, and each
 * is read, styled and drawn before the first paint. Throws for a shape that it does not know.
 */
export const withOnePathIcons = (markup: string): string =>
  markup.replace(icon, (_svg, start: string, shapes: string) => {
    const paths = [...shapes.matchAll(shape)].map(([, name = '', attributes = '']) => pathOf(name, attributes))
    if (shapes.replace(shape, '') !== '') throw new Error(`an icon has other parts than shapes: ${shapes}`)
    return `${start}<path d="${paths.join('')}"></path></svg>`
  })

function pathOf(name: string, attributes: string): string {
  const given = new Map([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]))
  const take = (key: string): string => {
    const value = given.get(key) ?? '0'
    given.delete(key)
    return value
  }
  const path = drawn(name, take)
  if (path === undefined || given.size > 0) throw new Error(`an icon has a <${name}${attributes}>`)
  return path
}

function drawn(name: string, take: (key: string) => string): string | undefined {
  const number = (key: string): number => Number(take(key))
  if (name === 'path') {
    const path = take('d')
    // A relative start counts from the end of the path before it.
    return path.startsWith('m') ? `M0 0${path}` : path
  }
  if (name === 'circle') {
    const [x, y, r] = [number('cx'), number('cy'), number('r')]
    return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
  }
  if (name !== 'rect') return undefined
  const [x, y, rx, ry] = [number('x'), number('y'), number('rx'), number('ry')]
  const [across, down] = [number('width') - 2 * rx, number('height') - 2 * ry]
  const corner = (toX: number, toY: number): string => `a${rx} ${ry} 0 0 1 ${toX} ${toY}`
  const sides = [`h${across}${corner(rx, ry)}`, `v${down}${corner(-rx, ry)}`, `h${-across}${corner(-rx, -ry)}`]
  return `M${x + rx} ${y}${sides.join('')}v${-down}${corner(rx, -ry)}z`
}

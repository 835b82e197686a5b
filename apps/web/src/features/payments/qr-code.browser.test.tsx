import '../../ui/global.css'
import { cleanup, render } from '@testing-library/react'
import { encode } from 'uqr'
import { afterEach, expect, it } from 'vitest'
import { QrCode } from './qr-code'

afterEach(() => {
  cleanup()
  delete document.documentElement.dataset.theme
})

const code =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Parley Stores6008BRASILIA62070503***6304ABCD'
const quietZone = 4
const pixelsPerModule = 4

/**
 * What stands on the screen, module by module: true where it is dark. Read from pixels, in the colours that a camera
 * would see.
 */
async function modulesOf(svg: SVGSVGElement, size: number): Promise<boolean[][]> {
  const pixels = size * pixelsPerModule
  svg.setAttribute('width', `${pixels}`)
  svg.setAttribute('height', `${pixels}`)
  const picture = new Image()
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
  await picture.decode()
  const canvas = new OffscreenCanvas(pixels, pixels)
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('no canvas')
  paper.drawImage(picture, 0, 0, pixels, pixels)
  const { data } = paper.getImageData(0, 0, pixels, pixels)
  const isDark = (x: number, y: number): boolean => {
    const at = ((y + 0.5) * pixelsPerModule * pixels + (x + 0.5) * pixelsPerModule) * 4
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    expect(alpha).toBe(255)
    return red + green + blue < 300
  }
  return Array.from({ length: size }, (_row, y) => Array.from({ length: size }, (_column, x) => isDark(x, y)))
}

it.each(['light', 'dark'])(
  'draws every module of the code, dark on white with a quiet zone, in the %s theme [ST-164]',
  async (theme) => {
    document.documentElement.dataset.theme = theme
    const { container } = render(<QrCode text={code} />)
    const svg = container.querySelector('svg')
    if (!svg) throw new Error('no picture')
    const wanted = encode(code, { ecc: 'M', border: quietZone })
    const modules = await modulesOf(svg, wanted.size)
    expect(modules).toEqual(wanted.data)
    const edges = modules.flatMap((row, y) =>
      row.filter((_dark, x) => Math.min(x, y, wanted.size - 1 - x, wanted.size - 1 - y) < quietZone),
    )
    expect(edges.length).toBeGreaterThan(0)
    expect(edges).not.toContain(true)
  },
)

import { useMemo } from 'react'
import { encode } from 'uqr'

/** The white margin around the code, in modules: readers need it to find the code. */
const quietZone = 4

/** A QR code, dark on white in both themes: some readers cannot read an inverted one. */
export function QrCode({ text, className }: { text: string; className?: string | undefined }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
      data-qr=""
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#111111" />
    </svg>
  )
}

/** One rectangle per run of dark modules in a row. */
function drawn(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone })
  const runs = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '1' : '0')).join('')
    return Array.from(line.matchAll(/1+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
  })
  return { size, path: runs.join('') }
}

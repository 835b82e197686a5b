import { type ReactNode, useState } from 'react'
import styles from './avatar.module.css'

type Props = { seed: string; name: string; size: number; picture?: string | undefined }

/** The picture, or else a face drawn from the seed alone: the same seed is the same face, on every device. */
export function Avatar({ seed, name, size, picture }: Props) {
  const [broken, setBroken] = useState<string>()
  const frame = { className: styles.avatar, style: { width: size, height: size } }
  const face =
    picture && picture !== broken && isOwnPicture(picture) ? (
      <img src={picture} alt="" onError={() => setBroken(picture)} />
    ) : (
      <DrawnFace seed={seed} />
    )
  if (!name) return <span {...frame}>{face}</span>
  return (
    <span {...frame} role="img" aria-label={name}>
      {face}
    </span>
  )
}

function DrawnFace({ seed }: { seed: string }) {
  const { hue, body, eyes } = faceOf(seed)
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" fill={`hsl(${hue} 34% 84%)`} />
      <path d={body} fill={`hsl(${(hue + 18) % 360} 38% 42%)`} />
      <g fill="#fff">{eyes}</g>
    </svg>
  )
}

/** Another host's picture would tell that host who is looking, and the page's policy refuses it. */
export function isOwnPicture(url: string): boolean {
  if (/^(blob|data):/.test(url)) return true
  return URL.canParse(url, document.baseURI) && new URL(url, document.baseURI).origin === location.origin
}

function faceOf(seed: string): { hue: number; body: string; eyes: ReactNode } {
  const hash = hashOf(seed)
  // Each trait from bits of its own.
  const trait = (shift: number, choices: number): number => (hash >>> shift) % choices
  const left = 6 + trait(9, 5)
  const height = 20 + trait(12, 4)
  const shoulder = 13 + trait(15, 5)
  const crown = 6 + trait(18, 5)
  return {
    hue: hash % 360,
    body: `M${left} 40c0-${shoulder} ${crown}-${height} 15-${height}s13-2 14 ${height}z`,
    eyes: eyes[trait(22, eyes.length)],
  }
}

const eyes = [
  <g key="round">
    <circle cx="17" cy="27" r="2" />
    <circle cx="25" cy="27" r="2" />
  </g>,
  <g key="calm">
    <rect x="15" y="25.5" width="4" height="2.6" rx="1.3" />
    <rect x="23" y="25.5" width="4" height="2.6" rx="1.3" />
  </g>,
  <g key="smiling">
    <circle cx="17" cy="26" r="1.6" />
    <circle cx="25" cy="26" r="1.6" />
    <path d="M18 31q3 2.4 6 0" fill="none" stroke="#fff" strokeWidth="1.5" strokeLinecap="round" />
  </g>,
]

/** FNV-1a, 32 bits, with a last stir, since its high bits alone are too much alike for short seeds. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

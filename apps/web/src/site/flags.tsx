import type { FullLanguage } from '@parley/contract/languages'
import type { ReactNode } from 'react'

const stripes = [0, 2, 4, 6, 8, 10, 12]

/** Drawn in three colours at most: at this size no more can be seen. */
const flags: Record<FullLanguage, ReactNode> = {
  'en-US': (
    <>
      <path fill="#fff" d="M0 0h20v14H0z" />
      {stripes.map((y) => (
        <path key={y} fill="#b22234" d={`M0 ${y * 1.077}h20v1.077H0z`} />
      ))}
      <path fill="#3c3b6e" d="M0 0h9v7.54H0z" />
    </>
  ),
  'pt-BR': (
    <>
      <path fill="#da291c" d="M0 0h20v14H0z" />
      <path fill="#046a38" d="M0 0h8v14H0z" />
      <circle cx="8" cy="7" r="2.9" fill="#ffe900" />
      <path fill="#da291c" d="M6.7 5.6h2.6v1.9a1.3 1.3 0 0 1-2.6 0z" />
    </>
  ),
  'es-ES': (
    <>
      <path fill="#aa151b" d="M0 0h20v14H0z" />
      <path fill="#f1bf00" d="M0 3.5h20v7H0z" />
      <path fill="#aa151b" d="M5 5.6h2.4v2a1.2 1.2 0 0 1-2.4 0z" />
    </>
  ),
}

/** US, PT and ES: the sign of a language in the selector, beside its name. */
export function Flag({ language }: { language: FullLanguage }) {
  return (
    <svg viewBox="0 0 20 14" width="20" height="14" className="flag" data-flag={language} aria-hidden="true">
      {flags[language]}
    </svg>
  )
}

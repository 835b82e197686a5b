/** The product's sign, as in the app: these pages share its drawing and none of its style sheets. */
export function SiteLogo() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" className="logo-mark" aria-hidden="true">
      <path d="M4 3h10a6 6 0 0 1 0 12H9l-5 5z" fill="currentColor" />
      <path
        d="M20 9.5V21l-4.2-3.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

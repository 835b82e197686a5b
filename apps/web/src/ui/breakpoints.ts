/**
 * Widths in CSS pixels at which the layout changes (document 1, section 2; document 2, section 9). Two are 991.92 and
 * 991.95, as written.
 */
export const breakpoints = {
  publish: 460.92,
  small: 575.95,
  medium: 767.95,
  drawer: 991.92,
  large: 991.95,
  wide: 1199.95,
  wider: 1399.95,
  widest: 1549.95,
} as const

export const media = {
  /** The sidebar is a drawer, dialogs are sheets. */
  drawer: `(max-width: ${breakpoints.drawer}px)`,
  narrow: `(max-width: ${breakpoints.large}px)`,
  phone: `(max-width: ${breakpoints.small}px)`,
} as const

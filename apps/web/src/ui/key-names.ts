const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The modifier's name on this machine's keyboard. */
export const mod = isApple ? '⌘' : 'Ctrl'
export const alt = isApple ? '⌥' : 'Alt'
export const shift = isApple ? '⇧' : 'Shift'
/** It is written on the key. */
export const enter = 'Enter'

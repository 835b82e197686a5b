const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The modifier's name on this machine's keyboard. */
const mod = isApple ? '⌘' : 'Ctrl'
const alt = isApple ? '⌥' : 'Alt'
const shift = isApple ? '⇧' : 'Shift'

export const newChatKeys = `${mod} J`

/** Everything the keyboard does, as the list shows it. The composer's own keys are its owner's. */
export const shortcutList = [
  { keys: `${mod} K`, label: 'shell.shortcutPalette' },
  { keys: newChatKeys, label: 'shell.shortcutNewChat' },
  { keys: '/', label: 'shell.shortcutComposer' },
  { keys: `${alt} ↑`, label: 'shell.shortcutPrevious' },
  { keys: `${alt} ↓`, label: 'shell.shortcutNext' },
  { keys: 'Enter', label: 'shell.shortcutSend' },
  { keys: `${shift} Enter`, label: 'shell.shortcutNewLine' },
  { keys: '↑', label: 'shell.shortcutEditLast' },
  { keys: `${mod} .`, label: 'shell.shortcutStop' },
  { keys: `${mod} ${shift} C`, label: 'shell.shortcutCopy' },
  { keys: '?', label: 'shell.shortcutHelp' },
  { keys: 'Esc', label: 'shell.shortcutClose' },
] as const

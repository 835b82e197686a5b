import type { Ref } from 'react'

type Props = { ref: Ref<HTMLInputElement>; label: string; onChoose: (file: File) => void }

/** A file input for pictures, opened by a button of its own. */
export function PictureInput({ ref, label, onChoose }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      accept="image/jpeg,image/png,image/webp,image/gif"
      hidden
      aria-label={label}
      onChange={(event) => {
        const file = event.target.files?.[0]
        // Reset, so that the same file can be chosen again.
        event.target.value = ''
        if (file) onChoose(file)
      }}
    />
  )
}

/**
 * A text of ours whose parts between `<b>` and `</b>` are bold. Each part has its own direction: it may be a name in
 * another script.
 */
export function BoldText({ text }: { text: string }) {
  return text.split(/<\/?b>/).map((part, index) => {
    if (index % 2 === 0) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the place in the sentence is the identity
      <b key={index} dir="auto">
        {part}
      </b>
    )
  })
}

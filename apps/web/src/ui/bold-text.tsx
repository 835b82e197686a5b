/** A text of ours whose parts between `<b>` and `</b>` are bold: react-i18next's `Trans` would be 4 kB of the first load. */
export function BoldText({ text }: { text: string }) {
  return text.split(/<\/?b>/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the place in the sentence is the identity
    index % 2 === 0 ? part : <b key={index}>{part}</b>,
  )
}

const maxInlineLength = 2_800_000

/** Pixel formats only: an SVG is a document that can hold more than a picture. */
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/=]+$/i

/** The address of a picture that may be offered: on the web, or whole inside the answer. */
export function pictureUrl(address: string): string | undefined {
  if (isInlinePicture(address)) return address
  if (!URL.canParse(address)) return undefined
  const { protocol } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}

export const isInlinePicture = (address: string): boolean =>
  address.length <= maxInlineLength && inlinePicture.test(address)

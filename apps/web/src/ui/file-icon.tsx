import {
  BookOpen,
  Clapperboard,
  FileCode,
  FileText,
  FileWarning,
  Globe,
  Image,
  type LucideIcon,
  Mail,
  Presentation,
  ScanText,
  Table2,
} from 'lucide-react'

/** What a source is and how it is, as a picture; `is` wins over what its type says. */
export function FileIcon({
  mediaType,
  is,
}: {
  mediaType: string
  is?: 'website' | 'video' | 'reading' | 'failed' | undefined
}) {
  const Icon = is ? states[is] : iconOf(mediaType)
  return <Icon aria-hidden="true" />
}

const states = { website: Globe, video: Clapperboard, reading: ScanText, failed: FileWarning } as const

function iconOf(mediaType: string): LucideIcon {
  if (mediaType.startsWith('image/')) return Image
  return kinds.find(([pattern]) => pattern.test(mediaType))?.[1] ?? FileText
}

const kinds: [RegExp, LucideIcon][] = [
  [/^text\/html/, Globe],
  [/^video\//, Clapperboard],
  [/epub/, BookOpen],
  [/sheet|csv|excel|tab-separated/, Table2],
  [/presentation|powerpoint/, Presentation],
  [/^message\/|rfc822/, Mail],
  [/json|xml|yaml|javascript|typescript|x-(?!tex)|toml/, FileCode],
]

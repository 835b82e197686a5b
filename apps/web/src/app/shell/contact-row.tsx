import type { PublicConfig } from '@parley/contract/config'
import { useTranslation } from '../../i18n/interface-language'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './sidebar-footer.module.css'

const networks = [
  { id: 'twitter', name: 'Twitter', path: 'M4 4l16 16M20 4L4 20' },
  {
    id: 'instagram',
    name: 'Instagram',
    path: 'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM17.2 6.8h.01',
  },
  {
    id: 'youtube',
    name: 'YouTube',
    path: 'M6 5h12a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4zM10 9l5 3-5 3z',
  },
  {
    id: 'discord',
    name: 'Discord',
    path: 'M8.5 6.5C6.5 6.9 5 7.6 4.2 8 2.6 11 2 14.200 2.200 17.400 3.800 18.700 5.400 19.300 7 19.500l1.200-2M15.500 6.500c2 .4 3.500 1.100 4.300 1.500 1.600 3 2.200 6.200 2 9.400-1.600 1.300-3.200 1.900-4.800 2.100l-1.200-2M7 16.800c3.300 1.600 6.700 1.600 10 0M8.500 6.500c2.300-.6 4.700-.6 7 0M9 12.500h.01M15 12.500h.01',
  },
] as const

/** Only the links that this server's operator has set; without any, no row. */
export function ContactRow({ contact }: { contact: PublicConfig['contact'] }) {
  const { t } = useTranslation()
  const links = networks.flatMap((network) => {
    const href = contact[network.id]
    return href ? [{ ...network, href }] : []
  })
  if (links.length === 0) return null
  return (
    <div className={styles.contact}>
      <span>{t('shell.contact')}</span>
      {links.map((link) => (
        <a key={link.id} href={link.href} target="_blank" rel="noreferrer" title={link.name}>
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
            aria-hidden="true"
          >
            <path d={link.path} />
          </svg>
          <VisuallyHidden>{link.name}</VisuallyHidden>
        </a>
      ))}
    </div>
  )
}

import { Cloud, Lock } from 'lucide-react'
import { Avatar } from '../../ui/avatar'
import { Badge } from '../../ui/badge'
import { Kbd } from '../../ui/kbd'
import { Logo, LogoMark } from '../../ui/logo'
import { Group, Row, Specimen } from './specimen'
import styles from './specimen.module.css'

const colours = [
  'canvas',
  'sidebar',
  'surface',
  'raised',
  'sunken',
  'hover',
  'selected',
  'ink',
  'ink-2',
  'ink-3',
  'line',
  'line-strong',
  'focus',
  'brand',
  'brand-hover',
  'brand-soft',
  'cloud',
  'cloud-soft',
  'warn',
  'warn-soft',
  'bad',
  'bad-soft',
  'code-bg',
  'mark',
]
const faces = [
  'Clause Reader',
  'Query Doctor',
  'Professora Ana',
  'Travel Editor',
  'Cold Reader',
  'Code Pair',
  'Data Sketch',
  'Polyglot',
  'Prompt Smith',
  'Meeting Scribe',
]

export function IdentitySpecimens() {
  return (
    <>
      <Group title="Logo, faces and badges">
        <Row>
          <Specimen name="logo">
            <Logo />
          </Specimen>
          <Specimen name="mark">
            <LogoMark />
          </Specimen>
        </Row>
        <div className={styles.faces}>
          {faces.map((name) => (
            <Avatar key={name} seed={name} name={name} size={52} />
          ))}
        </div>
        <div className={styles.faces}>
          {[20, 26, 30, 52, 76].map((size) => (
            <Avatar key={size} seed="Clause Reader" name="" size={size} />
          ))}
        </div>
        <Row>
          <Badge tone="local" icon={Lock}>
            local
          </Badge>
          <Badge tone="cloud" icon={Cloud}>
            server
          </Badge>
          <Badge tone="good">completed</Badge>
          <Badge tone="warn">almost full</Badge>
          <Badge tone="bad">failed</Badge>
          <Badge tone="plain">pending</Badge>
          <Kbd>Ctrl J</Kbd>
          <Kbd>⌘ K</Kbd>
          <Kbd>?</Kbd>
        </Row>
      </Group>
      <Group title="Type">
        <div className={styles.type}>
          <p className={styles.display}>Your chats, on your device</p>
          <p className={styles.prose}>
            Prose of a message: três cláusulas merecem uma conversa, ¿verdad? Łódź, İstanbul. R$ 10,500 and $12.48310.
          </p>
          <p>Text of the interface. Instrument Sans, 15 px.</p>
          <p className={styles.mono}>const fee = rent * 3 * ((term - stayed) / term)</p>
        </div>
      </Group>
      <Group title="Colours">
        <div className={styles.swatches}>
          {colours.map((name) => (
            <div key={name} className={styles.swatch}>
              <i style={{ background: `var(--${name})` }} />
              {name}
            </div>
          ))}
        </div>
      </Group>
    </>
  )
}

import { Ellipsis, Eraser, FileDown, Lock, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextArea, TextInput } from '../../ui/field'
import { ContextMenu, Menu, type MenuItem } from '../../ui/menu'
import { confirmToast, toast } from '../../ui/toast'
import { Tooltip } from '../../ui/tooltip'
import { Group, Row, Specimen } from './specimen'
import styles from './specimen.module.css'

const items: MenuItem[] = [
  { id: 'rename', label: 'Rename', icon: Pencil, onSelect: () => toast.info('Rename') },
  { id: 'export', label: 'Export to PDF', icon: FileDown, onSelect: () => toast.info('Export to PDF') },
  { id: 'lock', label: 'Lock', icon: Lock, disabled: true, onSelect: () => undefined },
  'separator',
  { id: 'clear', label: 'Clear', icon: Eraser, onSelect: () => toast.info('Clear') },
  {
    id: 'delete',
    label: 'Delete',
    icon: Trash2,
    tone: 'danger',
    onSelect: () => void confirmToast({ message: 'Delete this chat?', danger: true }),
  },
]

type Kind = 'small' | 'medium' | 'large' | 'static' | 'long'
const kinds: readonly Kind[] = ['small', 'medium', 'large', 'static', 'long']

export function OverlaySpecimens() {
  const [open, setOpen] = useState<Kind>()
  const [point, setPoint] = useState<{ x: number; y: number }>()
  return (
    <Group title="Menus, tooltips, dialogs">
      <Row>
        <Specimen name="menu, start">
          <Menu label="Chat tools" icon={Ellipsis} items={items} />
        </Specimen>
        <Specimen name="menu, end">
          <Menu label="More tools" icon={Ellipsis} align="end" size="small" items={items} />
        </Specimen>
        <Specimen name="tooltip of a name">
          <IconButton label="Export PDF" icon={FileDown} />
        </Specimen>
        <Specimen name="tooltip that describes">
          <Tooltip label="This chat is encrypted on this device. Parley keeps no copy.">
            <Button icon={Lock}>On this device</Button>
          </Tooltip>
        </Specimen>
      </Row>
      <button
        type="button"
        className={styles.point}
        onContextMenu={(event) => {
          event.preventDefault()
          setPoint({ x: event.clientX, y: event.clientY })
        }}
      >
        Right click here, or press the context key
      </button>
      {point && <ContextMenu at={point} label="Chat" items={items} onClose={() => setPoint(undefined)} />}
      <Row>
        {kinds.map((kind) => (
          <Button key={kind} onClick={() => setOpen(kind)}>
            {kind}
          </Button>
        ))}
      </Row>
      {open && <SampleDialog kind={open} onClose={() => setOpen(undefined)} />}
    </Group>
  )
}

function SampleDialog({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const size = kind === 'static' || kind === 'long' ? 'medium' : kind
  return (
    <Dialog
      title={kind === 'static' ? 'Only its buttons close this one' : 'Rename chat'}
      size={size}
      isStatic={kind === 'static'}
      onClose={onClose}
      footer={
        <>
          <Button
            variant="quiet"
            onClick={() =>
              void confirmToast({ message: 'Discard your changes?' }).then((agreed) => agreed && onClose())
            }
          >
            Discard
          </Button>
          <Button variant="primary" onClick={() => toast.success('Chat renamed successfully!')}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Field label="Name" hint="At most 100 characters.">
          <TextInput defaultValue="Lease clauses to push back on" />
        </Field>
        {kind === 'long' &&
          Array.from({ length: 12 }, (_, index) => index + 1).map((line) => (
            <TextArea key={line} rows={2} aria-label={`Note ${line}`} defaultValue={`Note ${line}`} />
          ))}
        <Menu label="More" icon={Ellipsis} items={items} />
      </div>
    </Dialog>
  )
}

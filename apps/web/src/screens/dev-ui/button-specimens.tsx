import { Copy, Lock, Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button'
import { Group, Row, Specimen, StateTable } from './specimen'

export function ButtonSpecimens() {
  return (
    <>
      <Group title="Button">
        <StateTable kinds={['primary', 'secondary', 'quiet', 'danger'] as const}>
          {(variant, more) => (
            <Button variant={variant} {...more}>
              {variant === 'danger' ? 'Delete' : 'Rename'}
            </Button>
          )}
        </StateTable>
        <Row>
          {(['small', 'medium', 'large'] as const).map((size) => (
            <Specimen key={size} name={size}>
              <Button size={size} icon={Plus}>
                New chat
              </Button>
            </Specimen>
          ))}
        </Row>
        <Specimen name="wide" wide>
          <Button variant="primary" wide>
            Move now
          </Button>
        </Specimen>
      </Group>
      <Group title="Icon button">
        <StateTable kinds={['medium', 'small'] as const}>
          {(size, more) => (
            <IconButton
              label={size === 'small' ? 'Copy' : 'Delete'}
              icon={size === 'small' ? Copy : Trash2}
              size={size}
              {...more}
            />
          )}
        </StateTable>
        <Row>
          <Specimen name="pressed">
            <IconButton label="Lock" icon={Lock} pressed />
          </Specimen>
          <Specimen name="not pressed">
            <IconButton label="Lock" icon={Lock} pressed={false} />
          </Specimen>
        </Row>
      </Group>
    </>
  )
}

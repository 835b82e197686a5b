import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Progress } from '../../ui/progress'
import { Skeleton } from '../../ui/skeleton'
import { Spinner } from '../../ui/spinner'
import { confirmToast, reloadToast, toast } from '../../ui/toast'
import { Group, Row, Specimen } from './specimen'
import styles from './specimen.module.css'

async function deleteAll(): Promise<void> {
  if (await confirmToast({ message: 'Delete all Local chats?', danger: true }))
    toast.success('All local chats deleted successfully!')
}

function load(): void {
  const progress = toast.loading('Exporting 12 of 41…')
  setTimeout(() => progress.update('Exporting 30 of 41…'), 1_500)
  setTimeout(() => {
    progress.dismiss()
    toast.success('41 chats exported')
  }, 3_000)
}

export function FeedbackSpecimens() {
  return (
    <>
      <Group title="Progress, skeleton, empty">
        <Row fill>
          {[0, 12, 41].map((value) => (
            <div key={value} className={styles.lines}>
              <Progress value={value} max={41} label={`Export, ${value} of 41`} />
              <span className={styles.numbers}>
                <span>{value === 41 ? 'Done' : 'Exporting…'}</span>
                <span>{value} of 41</span>
              </span>
            </div>
          ))}
        </Row>
        <Row fill>
          <div className={styles.lines} aria-busy="true">
            <Skeleton width="40%" height="14px" />
            <Skeleton width="100%" height="14px" />
            <Skeleton width="84%" height="14px" />
          </div>
          <Card>
            <EmptyState
              title="No chats yet. Ask something and it is kept here, on this device."
              action={<Button size="small">New chat</Button>}
            />
          </Card>
          <Specimen name="spinner">
            <Spinner />
          </Specimen>
        </Row>
      </Group>
      <Group title="Toasts">
        <Row>
          <Button onClick={() => toast.success('Chat renamed successfully!')}>Success</Button>
          <Button
            onClick={() =>
              toast.error('Failed to delete channel in Local Storage: This channel is locked and cannot be deleted')
            }
          >
            Error
          </Button>
          <Button onClick={() => toast.info('This chat is kept on this device.')}>Info</Button>
          <Button onClick={load}>Loading</Button>
          <Button
            onClick={() =>
              toast.notice('Maintenance on Sunday from 02:00 to 02:30. Chats on your device stay readable.')
            }
          >
            To everyone
          </Button>
          <Button onClick={() => void deleteAll()}>Confirmation</Button>
          <Button onClick={() => void confirmToast({ message: 'Move 12 cloud chats to this device?' })}>
            Confirmation, harmless
          </Button>
          <Button onClick={() => void reloadToast('A new version is ready. Reload to use it.')}>Reload</Button>
        </Row>
      </Group>
    </>
  )
}

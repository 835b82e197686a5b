import '../../i18n/later-texts'
import { isGuest, isShared, type StorageMode } from '@parley/contract/channels'
import { useState } from 'react'
import { moveFailure } from '../../data/channels/move-failure'
import { moveToCloud, moveToDevice } from '../../data/channels/moves'
import { type BothHomes, useMoveDirection } from '../../data/channels/use-both-homes'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import styles from './chat-view.module.css'

/** Reports that a chat is both on this device and in the cloud, and offers to finish the interrupted move. */
export default function BothHomesNote({ homes }: { homes: BothHomes }) {
  const { t, language } = useTranslation()
  const { direction, isPending } = useMoveDirection(homes)
  const select = useSelectChannel()
  const [isBusy, setIsBusy] = useState(false)

  async function finish(to: StorageMode) {
    setIsBusy(true)
    try {
      const moved = await (to === 'cloud' ? moveToCloud(homes.local) : moveToDevice(homes.cloud))
      if (moved.id !== homes.local.id) select(moved.id)
      toast.success(t(to === 'cloud' ? 'channels.createdCloud' : 'channels.movedToDevice'))
    } catch (error) {
      toast.error(moveFailure(error, { t, language }))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <p className={styles.trouble} role="note">
      {t('transfer.inBoth')}
      {!isPending &&
        offers(homes, direction).map((to) => (
          <Button key={to} size="small" busy={isBusy} onClick={() => void finish(to)}>
            {t(to === 'cloud' ? 'transfer.finishToCloud' : 'transfer.finishToDevice')}
          </Button>
        ))}
    </p>
  )
}

/**
 * Offers the known direction if that is possible; otherwise the person chooses. A shared chat stays where its members
 * reach it.
 */
function offers({ local, cloud }: BothHomes, direction: StorageMode | undefined): StorageMode[] {
  const open: StorageMode[] = []
  if (!cloud.isLocked && !isGuest(cloud) && !isShared(cloud)) open.push('local')
  if (!local.isLocked) open.push('cloud')
  return direction !== undefined && open.includes(direction) ? [direction] : open
}

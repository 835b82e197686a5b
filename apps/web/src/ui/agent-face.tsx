import { useState } from 'react'
import { Avatar, isOwnPicture } from './avatar'
import styles from './avatar.module.css'

/** The picture of an agent; when it cannot be loaded, the face that stands for any agent. */
export function AgentFace({ src, size, label = '' }: { src: string; size: number; label?: string }) {
  const [broken, setBroken] = useState<string>()
  if (src === '' || src === broken || !isOwnPicture(src)) return <Avatar seed="agent" name={label} size={size} />
  return (
    <span className={styles.avatar} style={{ width: size, height: size }}>
      <img
        src={src}
        alt={label}
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(src)}
      />
    </span>
  )
}

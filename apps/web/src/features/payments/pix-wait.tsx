import '../../i18n/later-texts'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Progress } from '../../ui/progress'
import styles from './payment.module.css'

type Props = {
  from: string
  until: string /** Called once when the time is over. The server decides whether it is: this device's clock may be wrong. */
  onEnd: () => void
}

/** Shows that the payment is pending, and the time left. */
export function PixWait({ from, until, onEnd }: Props) {
  const { t } = useTranslation()
  const seconds = useSecondsLeft(until)
  const isOver = seconds === 0
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  return (
    <div className={styles.wait}>
      <span className={styles.bar}>
        <Progress
          value={seconds}
          max={Math.max(1, Math.ceil((Date.parse(until) - Date.parse(from)) / 1_000))}
          label={t('payments.timeLeft')}
        />
      </span>
      <p>
        <span role="status">{t('payments.awaiting')}</span>
        {!isOver && <span role="timer">{` · ${t('payments.expiresIn', { time: clock(seconds) })}`}</span>}
      </p>
    </div>
  )
}

function useSecondsLeft(until: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000))
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
const clock = (seconds: number): string => `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`

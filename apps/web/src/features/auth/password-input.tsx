import '../../i18n/later-texts'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { IconButton } from '../../ui/button'
import { TextInput } from '../../ui/field'
import styles from './auth.module.css'

type Props = {
  autoComplete: 'current-password' | 'new-password'
  value: string
  onChange: (password: string) => void
  autoFocus?: boolean
}

/** A password field whose text can be shown. */
export function PasswordInput({ onChange, ...rest }: Props) {
  const { t } = useTranslation()
  const [isShown, setIsShown] = useState(false)
  return (
    <span className={styles.password}>
      <TextInput
        {...rest}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <IconButton
        size="small"
        label={t(isShown ? 'auth.hidePassword' : 'auth.showPassword')}
        icon={isShown ? EyeOff : Eye}
        onClick={() => setIsShown(!isShown)}
      />
    </span>
  )
}

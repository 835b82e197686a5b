/** What a passphrase has to be, and what opens the vault when it is forgotten. */
export { newRecoveryCode, passphraseMinLength } from '../local/passphrase'

/** The rules for passphrases, and the recovery code that opens the vault when one is forgotten. */
export { newRecoveryCode, passphraseMinLength } from '../local/passphrase'

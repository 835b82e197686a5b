/** The wallet's extension is not installed. `hasOthers`: another wallet is, and may hide it. */
export class WalletMissingError extends Error {
  override name = 'WalletMissingError'
  constructor(readonly hasOthers = false) {
    super('the wallet is not installed')
  }
}

/** The wallet's extension is not in this browser. `hasOthers`: another wallet is, and may stand in front of it. */
export class WalletMissingError extends Error {
  override name = 'WalletMissingError'
  constructor(readonly hasOthers = false) {
    super('the wallet is not installed')
  }
}

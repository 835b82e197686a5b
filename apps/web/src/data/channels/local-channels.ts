import { openDevice } from '../vault/open-device'
import { LocalChannelStore } from './local-channel-store'

/** The channels of this device. */
export const localChannels = new LocalChannelStore({ open: openDevice })

// For tests outside of this package: the device's storage, in memory.
import 'fake-indexeddb/auto'

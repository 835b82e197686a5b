// A device's storage, for tests outside a browser.
import 'fake-indexeddb/auto'

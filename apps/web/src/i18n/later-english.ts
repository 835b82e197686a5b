import auth from './en-US/auth.json'
import models from './en-US/models.json'
import settings from './en-US/settings.json'
import transfer from './en-US/transfer.json'
import vault from './en-US/vault.json'

/** Texts that only dialogs and screens say that are loaded when they are asked for. */
export const laterEnglish = { auth, models, settings, transfer, vault }

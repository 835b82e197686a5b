import auth from './auth.json'
import channels from './channels.json'
import chat from './chat.json'
import common from './common.json'
import markdown from './markdown.json'
import members from './members.json'
import models from './models.json'
import settings from './settings.json'
import shell from './shell.json'
import transfer from './transfer.json'
import vault from './vault.json'

export { spanish as errors } from '@parley/contract/error-texts/es-ES'
export default { auth, channels, chat, common, markdown, members, models, settings, shell, transfer, vault }

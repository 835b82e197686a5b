import auth from './auth.json'
import channels from './channels.json'
import chat from './chat.json'
import common from './common.json'
import markdown from './markdown.json'
import members from './members.json'
import settings from './settings.json'
import shell from './shell.json'
import transfer from './transfer.json'
import vault from './vault.json'

export default { auth, channels, chat, common, markdown, members, settings, shell, transfer, vault }

import auth from './auth.json'
import channels from './channels.json'
import chat from './chat.json'
import common from './common.json'
import markdown from './markdown.json'
import shell from './shell.json'

export default { auth, channels, chat, common, markdown, shell }

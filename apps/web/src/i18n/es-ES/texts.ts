import type { Texts } from '../resources'
import agentEditor from './agentEditor.json'
import agentPicker from './agentPicker.json'
import agents from './agents.json'
import auth from './auth.json'
import billing from './billing.json'
import channels from './channels.json'
import chat from './chat.json'
import chatSettings from './chatSettings.json'
import common from './common.json'
import context from './context.json'
import credits from './credits.json'
import install from './install.json'
import markdown from './markdown.json'
import members from './members.json'
import models from './models.json'
import outline from './outline.json'
import payments from './payments.json'
import queue from './queue.json'
import settings from './settings.json'
import sharing from './sharing.json'
import shell from './shell.json'
import shortcuts from './shortcuts.json'
import sources from './sources.json'
import suiAgents from './suiAgents.json'
import temporary from './temporary.json'
import transfer from './transfer.json'
import vault from './vault.json'
import versions from './versions.json'
import webSearch from './webSearch.json'

export { spanish as errors } from '@parley/contract/error-texts/es-ES'
export default {
  agentEditor,
  agents,
  agentPicker,
  auth,
  billing,
  channels,
  chat,
  chatSettings,
  common,
  context,
  credits,
  install,
  markdown,
  members,
  models,
  outline,
  payments,
  queue,
  settings,
  sharing,
  shell,
  shortcuts,
  sources,
  suiAgents,
  temporary,
  transfer,
  vault,
  versions,
  webSearch,
} satisfies Texts

import agentEditor from './en-US/agentEditor.json'
import agentPicker from './en-US/agentPicker.json'
import agents from './en-US/agents.json'
import auth from './en-US/auth.json'
import billing from './en-US/billing.json'
import chatSettings from './en-US/chatSettings.json'
import context from './en-US/context.json'
import credits from './en-US/credits.json'
import install from './en-US/install.json'
import laterChannels from './en-US/later/channels.json'
import laterChat from './en-US/later/chat.json'
import laterMembers from './en-US/later/members.json'
import laterShell from './en-US/later/shell.json'
import markdown from './en-US/markdown.json'
import models from './en-US/models.json'
import outline from './en-US/outline.json'
import payments from './en-US/payments.json'
import queue from './en-US/queue.json'
import settings from './en-US/settings.json'
import sharing from './en-US/sharing.json'
import shortcuts from './en-US/shortcuts.json'
import sources from './en-US/sources.json'
import suiAgents from './en-US/suiAgents.json'
import temporary from './en-US/temporary.json'
import transfer from './en-US/transfer.json'
import vault from './en-US/vault.json'
import versions from './en-US/versions.json'
import webSearch from './en-US/webSearch.json'

/**
 * Texts that only dialogs and screens say that are loaded when they are asked for. Of channels, chat, members and shell
 * the first load has the others.
 */
export const laterEnglish = {
  agentEditor,
  agents,
  agentPicker,
  auth,
  billing,
  channels: laterChannels,
  chat: laterChat,
  chatSettings,
  context,
  credits,
  install,
  markdown,
  members: laterMembers,
  models,
  outline,
  payments,
  queue,
  settings,
  sharing,
  shell: laterShell,
  shortcuts,
  sources,
  suiAgents,
  temporary,
  transfer,
  vault,
  versions,
  webSearch,
}

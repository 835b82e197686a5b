import agentEditor from './en-US/agentEditor.json'
import agentPicker from './en-US/agentPicker.json'
import agents from './en-US/agents.json'
import auth from './en-US/auth.json'
import billing from './en-US/billing.json'
import credits from './en-US/credits.json'
import install from './en-US/install.json'
import models from './en-US/models.json'
import payments from './en-US/payments.json'
import settings from './en-US/settings.json'
import sharing from './en-US/sharing.json'
import shortcuts from './en-US/shortcuts.json'
import suiAgents from './en-US/suiAgents.json'
import transfer from './en-US/transfer.json'
import vault from './en-US/vault.json'

/** Texts that only dialogs and screens say that are loaded when they are asked for. */
export const laterEnglish = {
  agentEditor,
  agents,
  agentPicker,
  auth,
  billing,
  credits,
  install,
  models,
  payments,
  settings,
  sharing,
  shortcuts,
  suiAgents,
  transfer,
  vault,
}

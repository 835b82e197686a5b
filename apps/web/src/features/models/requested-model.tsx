import { useConfig } from '../../data/config/use-config'
import { endModelRequest, type ModelRequest } from '../../data/models/model-request'
import { useUser } from '../../data/session/stored-session'
import ModelDialog from './model-dialog'

/** The list of models for one answer. */
export default function RequestedModel({ request }: { request: ModelRequest }) {
  const config = useConfig()
  const user = useUser()
  const canChoose = config?.models === 'local' || (config?.models === 'gateway' && user !== undefined)
  return config && <ModelDialog canChoose={canChoose} request={request} onClose={endModelRequest} />
}

/** Part of the error catalogue: agents. */
export const agentErrors = {
  'agent.private': { status: 403, message: 'Private assistant' },
  'agent.not-found': { status: 404, message: 'Assistant not found.' },
  'agent.unavailable': { status: 410, message: 'This assistant is no longer available.' },
  'agent.limit': { status: 409, message: 'You have as many agents as you can have. Delete one first.' },
  'agent.too-many-files': { status: 409, message: 'An agent can have 10 files. Remove one first.' },
  'agent.file-gone': {
    status: 409,
    message: 'One of the files of the knowledge is not there any more. Remove it from the list, and add it again.',
  },
  'agent.image-not-allowed': {
    status: 400,
    message: 'Please choose a picture that this server offers, or upload one.',
  },
  'agent.card-invalid': { status: 400, message: 'This file is not an agent card that can be read.' },
  'agent.card-newer': {
    status: 400,
    message: 'This agent card was made by a newer version. Reload the page to update.',
  },
  'agent.card-too-large': { status: 413, message: 'This file is too large for an agent card.' },
} as const

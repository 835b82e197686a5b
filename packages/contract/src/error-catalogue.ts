import { agentErrors } from './agent-errors'
import { sourceErrors } from './source-errors'
import { transferErrors } from './transfer-errors'

/**
 * The error catalogue: every error a person can meet, with its HTTP status and its text in English. The other languages
 * are in error-texts/.
 */
export const errorCatalogue = {
  validation: { status: 400, message: 'Some fields are not valid. Please check them and try again.' },
  unauthenticated: { status: 401, message: 'Authentication failed. Please log in again.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  'not-found': { status: 404, message: 'Requested resource not found.' },
  conflict: { status: 409, message: 'This was changed meanwhile. Please try again.' },
  'body.too-large': { status: 413, message: 'This is too large to send.' },
  'rate-limited': { status: 429, message: 'Too many attempts. Please wait a few minutes.' },
  'server-error': { status: 500, message: 'Server error. Please try again later.' },
  unavailable: { status: 503, message: 'The service is not available right now. Please try again in a moment.' },
  maintenance: { status: 503, message: 'Scheduled maintenance is under way. We will be back shortly.' },
  network: { status: 0, message: 'Network error. Please check your connection and try again.' },
  unknown: { status: 0, message: 'An unexpected error occurred. Please try again later.' },

  'auth.session-expired': { status: 401, message: 'Session expired. Please log in again.' },
  'auth.reauthenticate': { status: 401, message: 'Please enter your current password to change it.' },
  'auth.wrong-password': {
    status: 401,
    message: 'Incorrect password. Please try again or use Forgot Password to reset it.',
  },
  'auth.no-account': {
    status: 404,
    message: 'No account found with this email address. Please check your email or create a new account.',
  },
  /** Where the server must not tell whether an address is known (AUTH_UNIFORM_ERRORS). */
  'auth.invalid-credentials': {
    status: 401,
    message: 'Invalid email or password. Please check your credentials and try again.',
  },
  'auth.blocked': { status: 403, message: 'Account access restricted. Please contact support.' },
  'auth.email-unconfirmed': {
    status: 403,
    message: 'Please confirm your email first. We can send you the link again.',
  },
  'auth.email-taken': { status: 409, message: 'This email is already registered. Try logging in instead.' },
  'auth.email-invalid': { status: 400, message: 'Please enter a valid email address' },
  'auth.email-reserved': {
    status: 400,
    message: 'This address is reserved for wallet accounts. Please use another one.',
  },
  'auth.password-weak': { status: 400, message: 'Please choose a password that meets all requirements.' },
  'auth.link-invalid': { status: 400, message: 'This link is no longer valid. Please ask for a new one.' },
  'auth.reset-token-invalid': { status: 400, message: 'Invalid reset token' },
  'auth.redirect-not-allowed': { status: 400, message: 'This address cannot be used as a return address.' },
  'auth.google': { status: 401, message: 'Error authenticating with Google' },
  'auth.google-not-configured': { status: 503, message: 'This server has no Google sign-in configured.' },
  'auth.wallet-address': { status: 400, message: 'This is not a valid wallet address.' },
  'auth.wallet-challenge': {
    status: 401,
    message: 'This sign-in request has expired or was already used. Please try again.',
  },
  'auth.wallet-signature': { status: 401, message: 'Signature verification failed on the server. Please try again.' },

  'channel.not-found': { status: 404, message: 'Channel not found' },
  'channel.read-only': { status: 403, message: 'You can read this channel, but not write in it.' },
  'channel.owner-only': { status: 403, message: 'Only the owner of this channel can do this.' },
  'channel.not-author': { status: 403, message: 'Only the person who wrote this message can do this.' },
  'channel.full': { status: 409, message: 'This channel has as many members as it can have.' },
  'channel.export-too-large': { status: 413, message: 'This chat is too long for one PDF.' },
  'channel.exporting': {
    status: 429,
    message: 'Other PDFs of yours are still being made. Please wait for them and try again.',
  },
  'channel.export-queue-full': {
    status: 503,
    message: 'Many PDFs are being made right now. Please try again in a minute.',
  },
  'channel.export-failed': {
    status: 503,
    message: 'The PDF could not be made right now. Please try again in a moment.',
  },
  'invitation.invalid': { status: 404, message: 'This invitation is no longer valid. Please ask for a new one.' },
  'invitation.too-many': { status: 409, message: 'This channel has too many open invitations. Revoke one first.' },
  'channel.answering': { status: 409, message: 'An answer is still being written. Please wait until it is complete.' },
  'channel.unreadable': {
    status: 409,
    message: 'Some messages cannot be read on this device, so the chat stays where it is.',
  },
  'channel.copy-differs': {
    status: 409,
    message: 'The chat changed while it was being moved. Nothing was deleted: please try again.',
  },
  'channel.in-both-homes': { status: 409, message: 'This chat is in both homes. End its move, then try again.' },
  'channel.source-refused': {
    status: 409,
    message: 'One of the sources of this chat cannot be moved. The chat stays where it is.',
  },
  'channel.message-refused': {
    status: 400,
    message: 'The cloud cannot take one of the messages of this chat. The chat stays where it is.',
  },
  'channel.name-taken': { status: 409, message: 'Channel with this name already exists' },
  'channel.locked-delete': { status: 423, message: 'This channel is locked and cannot be deleted' },
  'channel.locked-clear': { status: 423, message: 'This channel is locked and cannot be cleared' },
  'channel.no-messages': { status: 400, message: 'No messages found for this channel' },
  'channel.no-valid-messages': { status: 400, message: 'No valid messages found for this channel' },

  ...agentErrors,
  'sui.wallet-needed': { status: 403, message: 'Connect a SUI wallet to create blockchain assistants' },
  'sui.manifest': { status: 400, message: 'This is not a signed agent that can be read.' },
  'sui.altered': { status: 400, message: 'Something of this agent was changed after its wallet signed it.' },
  'sui.foreign-signer': { status: 403, message: 'This was signed by another wallet.' },
  'sui.scheme': {
    status: 400,
    message:
      'This kind of signature cannot be checked here. Sign with Ed25519, Secp256k1, Secp256r1 or a multisig of these.',
  },
  'sui.replayed': {
    status: 409,
    message: 'This was signed for another server. Import the agent to keep its id, author and history.',
  },
  'sui.domain': { status: 409, message: 'This names another first server than the history of the agent.' },
  'sui.history': { status: 409, message: 'This does not continue the signed history of the agent.' },
  'sui.stale': {
    status: 409,
    message: 'There is already this version of the agent, or a newer one. Reload it and try again.',
  },
  'sui.signature-needed': { status: 403, message: 'This agent is changed by the signature of its wallet alone.' },
  'sui.anchor-off': { status: 404, message: 'This server anchors nothing on a chain.' },
  'sui.anchor-pending': {
    status: 409,
    message: 'The chain does not show this transaction yet. Try again in a moment.',
  },
  'sui.anchor-failed': { status: 409, message: 'This transaction failed on the chain, so it anchors nothing.' },
  'sui.anchor-foreign': { status: 403, message: 'This transaction was sent by another wallet.' },
  'sui.anchor-other': { status: 409, message: 'This transaction anchors something else than a version of this agent.' },
  'sui.chain-away': { status: 503, message: 'The chain cannot be reached. Try again in a moment.' },
  'sui.secrets-missing': {
    status: 400,
    message: 'This file has neither prompt nor knowledge. The owner of the wallet has to export it.',
  },
  'picture.type': {
    status: 415,
    message: 'This file type is not supported. Please use a JPEG, PNG, WebP or GIF picture.',
  },
  'picture.too-large': { status: 413, message: 'File is too large. The maximum is 2 MB.' },
  'picture.dimensions': { status: 413, message: 'This picture has too many pixels. Please make it smaller.' },
  'picture.damaged': { status: 400, message: 'This picture cannot be read. Please choose another one.' },

  'storage.full': {
    status: 507,
    message: 'Your device is out of space. Nothing was lost: free some space and try again.',
  },
  'storage.unavailable': {
    status: 503,
    message:
      'This browser does not let Parley keep chats on this device. Allow site storage or leave private browsing.',
  },
  'storage.unreadable': { status: 500, message: 'This entry cannot be read on this device. It was kept as it is.' },
  'storage.newer-version': {
    status: 500,
    message:
      'These chats were written by a newer version. Reload the page to update; until then they can only be read.',
  },

  'vault.locked': { status: 423, message: 'Your chats on this device are locked. Unlock them with your passphrase.' },
  'vault.wrong-passphrase': { status: 401, message: 'This does not open your chats. Please check it and try again.' },
  'vault.too-many-tries': { status: 429, message: 'Too many wrong tries. Please wait a little and try again.' },
  'vault.changed': {
    status: 409,
    message: 'The protection of these chats was changed in another tab. Reload the page and try again.',
  },

  'chat.frame': { status: 400, message: 'The message could not be understood. Please reload the page.' },
  'chat.too-large': { status: 413, message: 'This message is too long. Please shorten it.' },
  'chat.too-fast': { status: 429, message: 'You are sending messages too quickly. Please wait a minute.' },
  'chat.too-many-running': {
    status: 429,
    message: 'Three answers are already being written. Please wait for one to end.',
  },
  'chat.one-at-a-time': {
    status: 429,
    message: 'Your last answer is still being written. Please wait for it to end, or sign in.',
  },
  'chat.too-many-frames': {
    status: 429,
    message: 'Too much was sent at once. It is handled more slowly, one after the other.',
  },
  'chat.too-many-watched': {
    status: 429,
    message: 'Too many answers are open on this connection. Please reload the page.',
  },
  'chat.daily-limit': { status: 429, message: "You have used today's free messages. Please come back tomorrow." },
  'chat.fair-use': { status: 429, message: 'You have reached the fair-use limit. Please try again later.' },
  'chat.message-id-taken': {
    status: 409,
    message: 'This message was already sent with another content. Please send it again.',
  },
  'chat.answer-gone': {
    status: 410,
    message: 'This answer is no longer kept by the server. Please send the question again.',
  },
  'chat.version-gone': { status: 410, message: 'What came before this question was deleted. It was not sent.' },
  'chat.interrupted': { status: 502, message: 'The answer was interrupted. What had arrived is kept.' },
  'chat.model-unknown': { status: 400, message: 'This model is not available here. Please choose another one.' },
  'chat.model-unpriced': {
    status: 400,
    message: 'The gateway tells no usable price of this model. Please choose another one.',
  },
  'chat.model-not-allowed': { status: 403, message: 'Please sign in to use this model.' },
  'chat.offline': { status: 0, message: 'You are offline. The question is kept and is sent when you are back.' },

  'credits.minimum': { status: 402, message: 'You need at least 1 dollar in credits to send a message.' },
  'credits.not-enough': {
    status: 402,
    message: "You don't have enough credits to send a message, please buy credits.",
  },
  'credits.owed': {
    status: 402,
    message: 'A payment of yours was given back after its credits were spent. Please buy credits to go on.',
  },

  'payment.amount': { status: 400, message: 'Please enter an amount in dollars and cents.' },
  'payment.minimum': { status: 400, message: 'The minimum purchase is $1.' },
  'payment.maximum': { status: 400, message: 'The maximum purchase is $10,000.' },
  'payment.method-unavailable': {
    status: 400,
    message: 'This payment method is not available here. Please choose another one.',
  },
  'payment.key-reused': {
    status: 422,
    message: 'This purchase was already started with other values. Please start it again.',
  },
  'payment.pix-failed': { status: 502, message: 'Failed to process the Pix payment' },
  'payment.card-failed': { status: 502, message: 'Failed to process the card payment' },
  'payment.unclear': {
    status: 502,
    message: 'The payment provider has not answered yet. Please try again: it stays one purchase.',
  },
  'payment.token-failed': { status: 400, message: 'Failed to process the token payment' },
  'payment.token-unavailable': {
    status: 502,
    message: 'The Base network cannot be reached right now. Please try again in a moment.',
  },
  'payment.wrong-network': { status: 400, message: 'Please connect your wallet to the Base network.' },
  'payment.wrong-account': { status: 400, message: 'The connected wallet does not match your account.' },
  'payment.unconfirmed': { status: 409, message: 'The transfer is not confirmed yet. Please wait a moment.' },
  'payment.expired': { status: 410, message: 'This payment has expired. Please start a new one.' },
  'payment.webhook-refused': { status: 400, message: 'This notification is not signed by the payment provider.' },

  ...sourceErrors,
  ...transferErrors,

  'upstream.auth': { status: 502, message: "The model gateway refused this server's key. Please tell the operator." },
  'upstream.credits': {
    status: 502,
    message: 'The model gateway has no credit left for this model. Please choose another model.',
  },
  'upstream.busy': { status: 503, message: 'The model is busy right now. Please try again in a moment.' },
  'upstream.timeout': { status: 504, message: 'The model took too long to answer. Please try again.' },
  'upstream.unreachable': {
    status: 502,
    message: 'The model cannot be reached right now. Please try again in a moment.',
  },
  'upstream.too-long': {
    status: 400,
    message: 'This chat is too long for the model. Start a new chat or choose another model.',
  },
  'upstream.refused': {
    status: 502,
    message: 'The model refused this request. Please rephrase it or choose another model.',
  },
  'upstream.failed': { status: 502, message: 'The model stopped with an error. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>

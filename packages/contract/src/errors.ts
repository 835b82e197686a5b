import { type FullLanguage, fullLanguageOf } from './languages'

type Texts = Record<FullLanguage, string>
const error = (status: number, en: string, pt: string, es: string): { status: number; message: Texts } => ({
  status,
  message: { 'en-US': en, 'pt-BR': pt, 'es-ES': es },
})

/** The error catalogue: every error a person can meet, with its HTTP status and its text in every full language. */
export const errorCatalogue = {
  validation: error(
    400,
    'Some fields are not valid. Please check them and try again.',
    'Alguns campos não são válidos. Confira e tente novamente.',
    'Algunos campos no son válidos. Revísalos e inténtalo de nuevo.',
  ),
  unauthenticated: error(
    401,
    'Authentication failed. Please log in again.',
    'Falha na autenticação. Entre novamente.',
    'Error de autenticación. Inicia sesión de nuevo.',
  ),
  forbidden: error(403, 'You are not allowed to do this.', 'Você não tem permissão para fazer isso.', 'No tienes permiso para hacer esto.'),
  'not-found': error(404, 'Requested resource not found.', 'Recurso não encontrado.', 'No se encontró el recurso solicitado.'),
  conflict: error(
    409,
    'This was changed meanwhile. Please try again.',
    'Isto foi alterado nesse meio-tempo. Tente novamente.',
    'Esto cambió mientras tanto. Inténtalo de nuevo.',
  ),
  'body.too-large': error(413, 'This is too large to send.', 'Isto é grande demais para enviar.', 'Esto es demasiado grande para enviarlo.'),
  'rate-limited': error(
    429,
    'Too many attempts. Please wait a few minutes.',
    'Muitas tentativas. Aguarde alguns minutos.',
    'Demasiados intentos. Espera unos minutos.',
  ),
  'server-error': error(
    500,
    'Server error. Please try again later.',
    'Erro no servidor. Tente novamente mais tarde.',
    'Error del servidor. Inténtalo más tarde.',
  ),
  unavailable: error(
    503,
    'The service is restarting. Please try again in a moment.',
    'O serviço está reiniciando. Tente novamente em instantes.',
    'El servicio se está reiniciando. Inténtalo en un momento.',
  ),
  network: error(
    0,
    'Network error. Please check your connection and try again.',
    'Erro de rede. Verifique sua conexão e tente novamente.',
    'Error de red. Comprueba tu conexión e inténtalo de nuevo.',
  ),
  unknown: error(
    0,
    'An unexpected error occurred. Please try again later.',
    'Ocorreu um erro inesperado. Tente novamente mais tarde.',
    'Ocurrió un error inesperado. Inténtalo más tarde.',
  ),

  'auth.session-expired': error(401, 'Session expired. Please log in again.', 'Sessão expirada. Entre novamente.', 'La sesión expiró. Inicia sesión de nuevo.'),
  'auth.reauthenticate': error(
    401,
    'Please enter your current password to change it.',
    'Informe sua senha atual para alterá-la.',
    'Introduce tu contraseña actual para cambiarla.',
  ),
  'auth.wrong-password': error(
    401,
    'Incorrect password. Please try again or use Forgot Password to reset it.',
    'Senha incorreta. Tente novamente ou use Esqueci a senha para redefini-la.',
    'Contraseña incorrecta. Inténtalo de nuevo o usa Olvidé mi contraseña para restablecerla.',
  ),
  'auth.no-account': error(
    404,
    'No account found with this email address. Please check your email or create a new account.',
    'Nenhuma conta encontrada com este e-mail. Confira o e-mail ou crie uma nova conta.',
    'No se encontró ninguna cuenta con este correo. Revisa el correo o crea una cuenta nueva.',
  ),
  /** Where the server must not tell whether an address is known (AUTH_UNIFORM_ERRORS). */
  'auth.invalid-credentials': error(
    401,
    'Invalid email or password. Please check your credentials and try again.',
    'E-mail ou senha inválidos. Confira seus dados e tente novamente.',
    'Correo o contraseña no válidos. Revisa tus datos e inténtalo de nuevo.',
  ),
  'auth.blocked': error(
    403,
    'Account access restricted. Please contact support.',
    'Acesso à conta restrito. Entre em contato com o suporte.',
    'Acceso a la cuenta restringido. Contacta con soporte.',
  ),
  'auth.email-unconfirmed': error(
    403,
    'Please confirm your email first. We can send you the link again.',
    'Confirme seu e-mail primeiro. Podemos enviar o link novamente.',
    'Primero confirma tu correo. Podemos enviarte el enlace otra vez.',
  ),
  'auth.email-taken': error(
    409,
    'This email is already registered. Try logging in instead.',
    'Este e-mail já está cadastrado. Tente entrar.',
    'Este correo ya está registrado. Intenta iniciar sesión.',
  ),
  'auth.email-invalid': error(400, 'Please enter a valid email address', 'Informe um endereço de e-mail válido', 'Introduce una dirección de correo válida'),
  'auth.email-reserved': error(
    400,
    'This address is reserved for wallet accounts. Please use another one.',
    'Este endereço é reservado para contas de carteira. Use outro.',
    'Esta dirección está reservada para cuentas de billetera. Usa otra.',
  ),
  'auth.password-weak': error(
    400,
    'Please choose a password that meets all requirements.',
    'Escolha uma senha que atenda a todos os requisitos.',
    'Elige una contraseña que cumpla todos los requisitos.',
  ),
  'auth.link-invalid': error(
    400,
    'This link is no longer valid. Please ask for a new one.',
    'Este link não é mais válido. Peça um novo.',
    'Este enlace ya no es válido. Pide uno nuevo.',
  ),
  'auth.reset-token-invalid': error(400, 'Invalid reset token', 'Token de redefinição inválido', 'Token de restablecimiento no válido'),
  'auth.redirect-not-allowed': error(
    400,
    'This address cannot be used as a return address.',
    'Este endereço não pode ser usado como destino de retorno.',
    'Esta dirección no se puede usar como destino de retorno.',
  ),
  'auth.google': error(401, 'Error authenticating with Google', 'Erro ao autenticar com o Google', 'Error al autenticar con Google'),
  'auth.google-not-configured': error(
    503,
    'This server has no Google sign-in configured.',
    'Este servidor não tem login com Google configurado.',
    'Este servidor no tiene configurado el inicio de sesión con Google.',
  ),
  'auth.wallet-address': error(
    400,
    'This is not a valid wallet address.',
    'Este não é um endereço de carteira válido.',
    'Esta no es una dirección de billetera válida.',
  ),
  'auth.wallet-challenge': error(
    401,
    'This sign-in request has expired or was already used. Please try again.',
    'Este pedido de login expirou ou já foi usado. Tente novamente.',
    'Esta solicitud de inicio de sesión caducó o ya se usó. Inténtalo de nuevo.',
  ),
  'auth.wallet-signature': error(
    401,
    'Signature verification failed on the server. Please try again.',
    'A verificação da assinatura falhou no servidor. Tente novamente.',
    'La verificación de la firma falló en el servidor. Inténtalo de nuevo.',
  ),

  'channel.not-found': error(404, 'Channel not found', 'Canal não encontrado', 'Canal no encontrado'),
  'channel.read-only': error(
    403,
    'You can read this channel, but not write in it.',
    'Você pode ler este canal, mas não escrever nele.',
    'Puedes leer este canal, pero no escribir en él.',
  ),
  'channel.owner-only': error(
    403,
    'Only the owner of this channel can do this.',
    'Só o dono deste canal pode fazer isto.',
    'Solo el propietario de este canal puede hacer esto.',
  ),
  'channel.not-author': error(
    403,
    'Only the person who wrote this message can do this.',
    'Só quem escreveu esta mensagem pode fazer isto.',
    'Solo quien escribió este mensaje puede hacer esto.',
  ),
  'channel.full': error(
    409,
    'This channel has as many members as it can have.',
    'Este canal já tem o número máximo de membros.',
    'Este canal ya tiene el máximo de miembros.',
  ),
  'channel.export-too-large': error(
    413,
    'This chat is too long for one PDF.',
    'Esta conversa é longa demais para um só PDF.',
    'Este chat es demasiado largo para un solo PDF.',
  ),
  'channel.export-failed': error(
    503,
    'The PDF could not be made right now. Please try again in a moment.',
    'Não foi possível criar o PDF agora. Tente novamente em instantes.',
    'No se pudo crear el PDF ahora. Inténtalo de nuevo en un momento.',
  ),
  'invitation.invalid': error(
    404,
    'This invitation is no longer valid. Please ask for a new one.',
    'Este convite não é mais válido. Peça um novo.',
    'Esta invitación ya no es válida. Pide una nueva.',
  ),
  'invitation.too-many': error(
    409,
    'This channel has too many open invitations. Revoke one first.',
    'Este canal tem convites abertos demais. Revogue um primeiro.',
    'Este canal tiene demasiadas invitaciones abiertas. Revoca una primero.',
  ),
  'channel.answering': error(
    409,
    'An answer is still being written. Please wait until it is complete.',
    'Uma resposta ainda está sendo escrita. Aguarde até ela terminar.',
    'Todavía se está escribiendo una respuesta. Espera a que termine.',
  ),
  'channel.unreadable': error(
    409,
    'Some messages cannot be read on this device, so the chat stays where it is.',
    'Algumas mensagens não podem ser lidas neste dispositivo, então a conversa fica onde está.',
    'Algunos mensajes no se pueden leer en este dispositivo, así que el chat se queda donde está.',
  ),
  'channel.copy-differs': error(
    409,
    'The chat changed while it was being moved. Nothing was deleted: please try again.',
    'A conversa mudou enquanto era movida. Nada foi excluído: tente novamente.',
    'El chat cambió mientras se movía. No se borró nada: inténtalo de nuevo.',
  ),
  'channel.name-taken': error(409, 'Channel with this name already exists', 'Já existe um canal com este nome', 'Ya existe un canal con este nombre'),
  'channel.locked-delete': error(
    423,
    'This channel is locked and cannot be deleted',
    'Este canal está bloqueado e não pode ser excluído',
    'Este canal está bloqueado y no se puede eliminar',
  ),
  'channel.locked-clear': error(
    423,
    'This channel is locked and cannot be cleared',
    'Este canal está bloqueado e não pode ser limpo',
    'Este canal está bloqueado y no se puede vaciar',
  ),
  'channel.no-messages': error(
    400,
    'No messages found for this channel',
    'Nenhuma mensagem encontrada neste canal',
    'No se encontraron mensajes en este canal',
  ),
  'channel.no-valid-messages': error(
    400,
    'No valid messages found for this channel',
    'Nenhuma mensagem válida encontrada neste canal',
    'No se encontraron mensajes válidos en este canal',
  ),

  'storage.full': error(
    507,
    'Your device is out of space. Nothing was lost: free some space and try again.',
    'Seu dispositivo está sem espaço. Nada foi perdido: libere espaço e tente novamente.',
    'Tu dispositivo no tiene espacio. No se perdió nada: libera espacio e inténtalo de nuevo.',
  ),
  'storage.unavailable': error(
    503,
    'This browser does not let Parley keep chats on this device. Allow site storage or leave private browsing.',
    'Este navegador não permite que o Parley guarde conversas neste dispositivo. Permita o armazenamento do site ou saia da navegação privada.',
    'Este navegador no permite que Parley guarde chats en este dispositivo. Permite el almacenamiento del sitio o sal de la navegación privada.',
  ),
  'storage.unreadable': error(
    500,
    'This entry cannot be read on this device. It was kept as it is.',
    'Este item não pode ser lido neste dispositivo. Ele foi mantido como está.',
    'Esta entrada no se puede leer en este dispositivo. Se conservó tal como está.',
  ),
  'storage.newer-version': error(
    500,
    'These chats were written by a newer version. Reload the page to update; until then they can only be read.',
    'Estas conversas foram gravadas por uma versão mais nova. Recarregue a página para atualizar; até lá, só é possível ler.',
    'Estos chats fueron escritos por una versión más nueva. Recarga la página para actualizar; hasta entonces solo se pueden leer.',
  ),

  'vault.locked': error(
    423,
    'Your chats on this device are locked. Unlock them with your passphrase.',
    'Suas conversas neste dispositivo estão bloqueadas. Desbloqueie-as com sua frase secreta.',
    'Tus chats en este dispositivo están bloqueados. Desbloquéalos con tu frase de contraseña.',
  ),
  'vault.wrong-passphrase': error(
    401,
    'This does not open your chats. Please check it and try again.',
    'Isto não abre suas conversas. Confira e tente novamente.',
    'Esto no abre tus chats. Revísalo e inténtalo de nuevo.',
  ),

  'transfer.invalid': error(400, 'Invalid import data format', 'Formato de dados de importação inválido', 'Formato de datos de importación no válido'),
  'transfer.file-type': error(400, 'Only JSON and ZIP files are supported', 'Apenas arquivos JSON e ZIP são aceitos', 'Solo se admiten archivos JSON y ZIP'),
  'transfer.invalid-data': error(400, 'Invalid import data', 'Dados de importação inválidos', 'Datos de importación no válidos'),
  'transfer.no-json': error(
    400,
    'No JSON file found in ZIP archive',
    'Nenhum arquivo JSON encontrado no arquivo ZIP',
    'No se encontró ningún archivo JSON en el archivo ZIP',
  ),
  'transfer.no-user': error(
    401,
    'No user ID available for channel import',
    'Nenhum ID de usuário disponível para importar canais',
    'No hay ID de usuario disponible para importar canales',
  ),
  'transfer.nothing-selected': error(
    400,
    'Please select at least one data type.',
    'Selecione pelo menos um tipo de dados.',
    'Selecciona al menos un tipo de datos.',
  ),
  'transfer.passphrase-needed': error(
    401,
    'This file is protected with a passphrase.',
    'Este arquivo está protegido com uma frase secreta.',
    'Este archivo está protegido con una frase de contraseña.',
  ),
  'transfer.wrong-passphrase': error(
    401,
    'This passphrase does not open the file. Please check it and try again.',
    'Esta frase secreta não abre o arquivo. Confira e tente novamente.',
    'Esta frase de contraseña no abre el archivo. Revísala e inténtalo de nuevo.',
  ),
  'transfer.incomplete': error(
    400,
    'This file is incomplete. Please export or download it again.',
    'Este arquivo está incompleto. Exporte ou baixe-o novamente.',
    'Este archivo está incompleto. Expórtalo o descárgalo de nuevo.',
  ),
  'transfer.damaged': error(
    400,
    'This file was changed or damaged and cannot be imported.',
    'Este arquivo foi alterado ou danificado e não pode ser importado.',
    'Este archivo fue modificado o está dañado y no se puede importar.',
  ),
  'transfer.too-large': error(
    413,
    'This file is too large to import.',
    'Este arquivo é grande demais para importar.',
    'Este archivo es demasiado grande para importarlo.',
  ),

  'chat.frame': error(
    400,
    'The message could not be understood. Please reload the page.',
    'A mensagem não pôde ser entendida. Recarregue a página.',
    'No se pudo entender el mensaje. Recarga la página.',
  ),
  'chat.too-large': error(
    413,
    'This message is too long. Please shorten it.',
    'Esta mensagem é longa demais. Encurte-a, por favor.',
    'Este mensaje es demasiado largo. Acórtalo, por favor.',
  ),
  'chat.too-fast': error(
    429,
    'You are sending messages too quickly. Please wait a minute.',
    'Você está enviando mensagens rápido demais. Aguarde um minuto.',
    'Estás enviando mensajes demasiado rápido. Espera un minuto.',
  ),
  'chat.too-many-running': error(
    429,
    'Three answers are already being written. Please wait for one to end.',
    'Três respostas já estão sendo escritas. Aguarde uma terminar.',
    'Ya se están escribiendo tres respuestas. Espera a que termine una.',
  ),
  'chat.daily-limit': error(
    429,
    "You have used today's free messages. Please come back tomorrow.",
    'Você usou as mensagens gratuitas de hoje. Volte amanhã.',
    'Has usado los mensajes gratuitos de hoy. Vuelve mañana.',
  ),
  'chat.message-id-taken': error(
    409,
    'This message was already sent with another content. Please send it again.',
    'Esta mensagem já foi enviada com outro conteúdo. Envie-a novamente.',
    'Este mensaje ya se envió con otro contenido. Envíalo de nuevo.',
  ),
  'chat.answer-gone': error(
    410,
    'This answer is no longer kept by the server. Please send the question again.',
    'Esta resposta não está mais no servidor. Envie a pergunta novamente.',
    'El servidor ya no conserva esta respuesta. Envía la pregunta de nuevo.',
  ),
  'chat.interrupted': error(
    502,
    'The answer was interrupted. What had arrived is kept.',
    'A resposta foi interrompida. O que já tinha chegado foi mantido.',
    'La respuesta se interrumpió. Lo que había llegado se conserva.',
  ),
  'chat.model-unknown': error(
    400,
    'This model is not available here. Please choose another one.',
    'Este modelo não está disponível aqui. Escolha outro.',
    'Este modelo no está disponible aquí. Elige otro.',
  ),
  'chat.model-not-allowed': error(403, 'Please sign in to use this model.', 'Entre para usar este modelo.', 'Inicia sesión para usar este modelo.'),
  'chat.offline': error(
    0,
    'You are offline. The question is kept and is sent when you are back.',
    'Você está offline. A pergunta está guardada e será enviada quando a conexão voltar.',
    'No tienes conexión. La pregunta se guarda y se enviará cuando vuelvas.',
  ),

  'upstream.auth': error(
    502,
    "The model gateway refused this server's key. Please tell the operator.",
    'O provedor de modelos recusou a chave deste servidor. Avise o operador.',
    'El proveedor de modelos rechazó la clave de este servidor. Avisa al operador.',
  ),
  'upstream.credits': error(
    502,
    'The model gateway has no credit left for this model. Please choose another model.',
    'O provedor de modelos está sem crédito para este modelo. Escolha outro modelo.',
    'El proveedor de modelos no tiene saldo para este modelo. Elige otro modelo.',
  ),
  'upstream.busy': error(
    503,
    'The model is busy right now. Please try again in a moment.',
    'O modelo está ocupado agora. Tente novamente em instantes.',
    'El modelo está ocupado ahora. Inténtalo de nuevo en un momento.',
  ),
  'upstream.timeout': error(
    504,
    'The model took too long to answer. Please try again.',
    'O modelo demorou demais para responder. Tente novamente.',
    'El modelo tardó demasiado en responder. Inténtalo de nuevo.',
  ),
  'upstream.unreachable': error(
    502,
    'The model cannot be reached right now. Please try again in a moment.',
    'O modelo não está acessível agora. Tente novamente em instantes.',
    'No se puede acceder al modelo ahora. Inténtalo de nuevo en un momento.',
  ),
  'upstream.too-long': error(
    400,
    'This chat is too long for the model. Start a new chat or choose another model.',
    'Esta conversa é longa demais para o modelo. Inicie uma nova conversa ou escolha outro modelo.',
    'Este chat es demasiado largo para el modelo. Empieza un chat nuevo o elige otro modelo.',
  ),
  'upstream.refused': error(
    502,
    'The model refused this request. Please rephrase it or choose another model.',
    'O modelo recusou este pedido. Reformule ou escolha outro modelo.',
    'El modelo rechazó esta petición. Reformúlala o elige otro modelo.',
  ),
  'upstream.failed': error(
    502,
    'The model stopped with an error. Please try again.',
    'O modelo parou com um erro. Tente novamente.',
    'El modelo se detuvo con un error. Inténtalo de nuevo.',
  ),
} as const satisfies Record<string, { status: number; message: Texts }>

export type ErrorCode = keyof typeof errorCatalogue

/** The catalogue's text of a code in the nearest full language. */
export function errorText(code: ErrorCode, language?: string): string {
  return errorCatalogue[code].message[fullLanguageOf(language)]
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code)
}

/** Thrown wherever a catalogue error happens, on the server, in a local store and by the HTTP client alike. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** HTTP status of the catalogue, or the real one of an answer. */
  readonly status: number
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined
  readonly issues: { path: string; message: string }[] | undefined

  constructor(
    code: ErrorCode,
    options: { cause?: unknown; message?: string; status?: number; retryAfter?: number; issues?: { path: string; message: string }[] } = {},
  ) {
    super(options.message ?? errorText(code), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? errorCatalogue[code].status
    this.retryAfter = options.retryAfter
    this.issues = options.issues
  }
}

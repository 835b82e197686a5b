import type { FullLanguage } from '@parley/contract/languages'
import { product } from '@parley/contract/product'

type MailText = { subject: string; paragraphs: string[]; labels: string[]; footer: string }
export type MailName =
  | 'confirmEmail'
  | 'alreadyRegistered'
  | 'resetPassword'
  | 'oneTimePassword'
  | 'passwordChanged'
  | 'accountDeleted'

const { name } = product

/** The words of each mail, below its greeting. `labels` are those of its links, in their order. */
export const mailTexts: Record<MailName, Record<FullLanguage, MailText>> = {
  confirmEmail: {
    'en-US': {
      subject: `Confirm your email for ${name}`,
      paragraphs: ['please confirm this email address to finish your account. The link is good for 24 hours.'],
      labels: ['Confirm email'],
      footer: 'You did not create an account? Then you need not do anything: without a confirmation it disappears.',
    },
    'pt-BR': {
      subject: `Confirme seu e-mail no ${name}`,
      paragraphs: ['confirme este endereço de e-mail para concluir sua conta. O link vale por 24 horas.'],
      labels: ['Confirmar e-mail'],
      footer: 'Não foi você que criou a conta? Então não precisa fazer nada: sem a confirmação, ela desaparece.',
    },
    'es-ES': {
      subject: `Confirma tu correo en ${name}`,
      paragraphs: ['confirma esta dirección de correo para completar tu cuenta. El enlace es válido durante 24 horas.'],
      labels: ['Confirmar correo'],
      footer: '¿No has creado ninguna cuenta? Entonces no tienes que hacer nada: sin la confirmación desaparecerá.',
    },
  },
  alreadyRegistered: {
    'en-US': {
      subject: `You already have an account at ${name}`,
      paragraphs: [
        'somebody tried to create an account with this address, but there is one already. You can sign in, or ask for a new password there.',
      ],
      labels: ['Sign in'],
      footer: 'It was not you? Then you need not do anything: nothing was changed.',
    },
    'pt-BR': {
      subject: `Você já tem uma conta no ${name}`,
      paragraphs: [
        'alguém tentou criar uma conta com este endereço, mas ela já existe. Você pode entrar ou pedir uma nova senha por lá.',
      ],
      labels: ['Entrar'],
      footer: 'Não foi você? Então não precisa fazer nada: nada foi alterado.',
    },
    'es-ES': {
      subject: `Ya tienes una cuenta en ${name}`,
      paragraphs: [
        'alguien intentó crear una cuenta con esta dirección, pero ya existe. Puedes iniciar sesión o pedir una contraseña nueva allí.',
      ],
      labels: ['Iniciar sesión'],
      footer: '¿No fuiste tú? Entonces no tienes que hacer nada: no se ha cambiado nada.',
    },
  },
  resetPassword: {
    'en-US': {
      subject: `Your new password for ${name}`,
      paragraphs: [
        'you asked for a new password. You can choose one now, or have a one-time password sent to you. Either link works once, for 30 minutes.',
      ],
      labels: ['Choose a new password', 'Send me a one-time password'],
      footer: 'It was not you? Then ignore this mail: your password stays as it is.',
    },
    'pt-BR': {
      subject: `Sua nova senha no ${name}`,
      paragraphs: [
        'você pediu uma nova senha. Você pode escolher uma agora ou receber uma senha de uso único. Cada link vale uma vez, por 30 minutos.',
      ],
      labels: ['Escolher uma nova senha', 'Receber uma senha de uso único'],
      footer: 'Não foi você? Então ignore este e-mail: sua senha continua a mesma.',
    },
    'es-ES': {
      subject: `Tu nueva contraseña en ${name}`,
      paragraphs: [
        'has pedido una contraseña nueva. Puedes elegir una ahora o recibir una contraseña de un solo uso. Cada enlace vale una vez, durante 30 minutos.',
      ],
      labels: ['Elegir una contraseña nueva', 'Recibir una contraseña de un solo uso'],
      footer: '¿No fuiste tú? Entonces ignora este correo: tu contraseña sigue igual.',
    },
  },
  oneTimePassword: {
    'en-US': {
      subject: `Your one-time password for ${name}`,
      paragraphs: ['this password works once, for 15 minutes. Sign in with it and choose a new one in the settings.'],
      labels: ['Sign in'],
      footer: 'It was not you? Somebody has access to your mailbox: change its password, then ask for a new one here.',
    },
    'pt-BR': {
      subject: `Sua senha de uso único no ${name}`,
      paragraphs: ['esta senha vale uma vez, por 15 minutos. Entre com ela e escolha uma nova nas configurações.'],
      labels: ['Entrar'],
      footer: 'Não foi você? Alguém tem acesso à sua caixa de e-mail: troque a senha dela e depois peça uma nova aqui.',
    },
    'es-ES': {
      subject: `Tu contraseña de un solo uso en ${name}`,
      paragraphs: [
        'esta contraseña vale una vez, durante 15 minutos. Inicia sesión con ella y elige una nueva en los ajustes.',
      ],
      labels: ['Iniciar sesión'],
      footer: '¿No fuiste tú? Alguien tiene acceso a tu buzón: cambia su contraseña y después pide una nueva aquí.',
    },
  },
  passwordChanged: {
    'en-US': {
      subject: `Your password for ${name} was changed`,
      paragraphs: ['your password was changed a moment ago, and every other session was signed out.'],
      labels: ['Open the app'],
      footer: 'It was not you? Use Forgot Password at once: it signs everybody out and gives you a new one.',
    },
    'pt-BR': {
      subject: `Sua senha no ${name} foi alterada`,
      paragraphs: ['sua senha acabou de ser alterada, e todas as outras sessões foram encerradas.'],
      labels: ['Abrir o aplicativo'],
      footer: 'Não foi você? Use Esqueci a senha agora mesmo: isso encerra todas as sessões e lhe dá uma nova senha.',
    },
    'es-ES': {
      subject: `Se cambió tu contraseña en ${name}`,
      paragraphs: ['tu contraseña se acaba de cambiar y se cerraron todas las demás sesiones.'],
      labels: ['Abrir la aplicación'],
      footer: '¿No fuiste tú? Usa Olvidé mi contraseña ahora mismo: cierra todas las sesiones y te da una nueva.',
    },
  },
  accountDeleted: {
    'en-US': {
      subject: `Your account at ${name} was deleted`,
      paragraphs: ['your account and everything of it on the server was deleted.'],
      labels: [],
      footer: 'It was not you? Somebody had access to your account: change the password of your mailbox as well.',
    },
    'pt-BR': {
      subject: `Sua conta no ${name} foi excluída`,
      paragraphs: ['sua conta e tudo o que havia dela no servidor foi excluído.'],
      labels: [],
      footer: 'Não foi você? Alguém tinha acesso à sua conta: troque também a senha da sua caixa de e-mail.',
    },
    'es-ES': {
      subject: `Se eliminó tu cuenta en ${name}`,
      paragraphs: ['tu cuenta y todo lo que había de ella en el servidor se ha eliminado.'],
      labels: [],
      footer: '¿No fuiste tú? Alguien tenía acceso a tu cuenta: cambia también la contraseña de tu buzón.',
    },
  },
}

import type { FullLanguage } from '@parley/contract/languages'

/**
 * What the built-in model says. It is not a language model and says so, `alone` or before passages of sources, which
 * are
 * `nearest` to the question or their `beginnings`; then `howTo` connect a model.
 */
type OfflineText = Record<'notConnected' | 'alone' | 'nearest' | 'beginnings' | 'howTo', string>

export const offlineTexts: Record<FullLanguage, OfflineText> = {
  'en-US': {
    notConnected: '**No model is connected to this server**',
    alone: ', so nobody can answer yet. This text is built in.',
    nearest:
      ', so nobody can answer yet. These passages of your sources are nearest to your question, quoted as they are:',
    beginnings: ', so nobody can answer yet. This is how your sources begin:',
    howTo: `Connect one in either way:

1. **On this machine, free.** Install [Ollama](https://ollama.com) and run:

   \`\`\`sh
   ollama run llama3.1
   \`\`\`

   Parley finds it by itself within half a minute. LM Studio and llama.cpp work too.
2. **Through a gateway.** Start Parley with a key of OpenRouter:

   \`\`\`sh
   LLM_API_KEY=your-key npm start
   \`\`\`

   Another OpenAI-compatible gateway: set \`LLM_BASE_URL\` as well.

Your question is kept, encrypted, on this device. Use **Resend** once a model is connected.`,
  },
  'pt-BR': {
    notConnected: '**Nenhum modelo está conectado a este servidor**',
    alone: ', então ainda não há quem responda. Este texto vem embutido.',
    nearest:
      ', então ainda não há quem responda. Estes trechos das suas fontes são os mais próximos da sua pergunta, citados como estão:',
    beginnings: ', então ainda não há quem responda. É assim que as suas fontes começam:',
    howTo: `Conecte um de uma destas formas:

1. **Nesta máquina, de graça.** Instale o [Ollama](https://ollama.com) e execute:

   \`\`\`sh
   ollama run llama3.1
   \`\`\`

   O Parley o encontra sozinho em meio minuto. LM Studio e llama.cpp também funcionam.
2. **Por um provedor.** Inicie o Parley com uma chave do OpenRouter:

   \`\`\`sh
   LLM_API_KEY=sua-chave npm start
   \`\`\`

   Outro provedor compatível com OpenAI: defina também \`LLM_BASE_URL\`.

Sua pergunta está guardada, criptografada, neste dispositivo. Use **Reenviar** quando houver um modelo conectado.`,
  },
  'es-ES': {
    notConnected: '**No hay ningún modelo conectado a este servidor**',
    alone: ', así que nadie puede responder todavía. Este texto viene incluido.',
    nearest:
      ', así que nadie puede responder todavía. Estos pasajes de tus fuentes son los más cercanos a tu pregunta, citados tal cual:',
    beginnings: ', así que nadie puede responder todavía. Así empiezan tus fuentes:',
    howTo: `Conecta uno de estas maneras:

1. **En esta máquina, gratis.** Instala [Ollama](https://ollama.com) y ejecuta:

   \`\`\`sh
   ollama run llama3.1
   \`\`\`

   Parley lo encuentra solo en medio minuto. LM Studio y llama.cpp también sirven.
2. **A través de un proveedor.** Inicia Parley con una clave de OpenRouter:

   \`\`\`sh
   LLM_API_KEY=tu-clave npm start
   \`\`\`

   Otro proveedor compatible con OpenAI: define también \`LLM_BASE_URL\`.

Tu pregunta queda guardada, cifrada, en este dispositivo. Usa **Reenviar** cuando haya un modelo conectado.`,
  },
}

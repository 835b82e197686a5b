import type { FullLanguage } from '@parley/contract/languages'

/** What the built-in model says. It is not a language model and says so. */
export const offlineTexts: Record<FullLanguage, string> = {
  'en-US': `**No model is connected to this server**, so nobody can answer yet. This text is built in.

Connect one in either way:

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
  'pt-BR': `**Nenhum modelo está conectado a este servidor**, então ainda não há quem responda. Este texto vem embutido.

Conecte um de uma destas formas:

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
  'es-ES': `**No hay ningún modelo conectado a este servidor**, así que nadie puede responder todavía. Este texto viene incluido.

Conecta uno de estas maneras:

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
}

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ClientFrame, ServerFrame } from '@parley/contract/chat'
import { product } from '@parley/contract/product'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'

// The viewer styles itself with inline attributes and needs no policy for trusted types; it still loads nothing from
// elsewhere and runs no inline script.
const viewerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const failures =
  'Failures are `{ success: false, code, message, status }`; where there are not enough credits with `planLimit: true` and `planLimitErrorType: "credits"`.'

/** OpenAPI 3.1 at /api/docs (page) and /api/docs/json, made of the routes' own schemas. Registered before any route. */
export async function registerOpenApi(app: FastifyInstance, options: { version: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: product.name, version: options.version, description: failures },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      return {
        ...openapiObject,
        paths: { ...openapiObject.paths, ...chatSocketPath },
        components: {
          ...openapiObject.components,
          schemas: { ...openapiObject.components?.schemas, ...chatSocketSchemas() },
        },
      }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: viewerPolicy, uiConfig: { deepLinking: true } })
}

const textParameter = (name: string, description: string) => ({
  name,
  in: 'query' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
})

/** OpenAPI has no words for sockets: the upgrade is described as a call, its frames as schemas. */
const chatSocketPath = {
  '/ws/chat': {
    get: {
      tags: ['ws'],
      summary: 'The chat socket',
      description:
        'WebSocket upgrade. The client sends JSON text frames of the schema `ChatClientFrame`, the server sends frames of `ChatServerFrame`. ' +
        '`messageId` identifies an answer for ever; `seq` grows by one per frame of an answer; `resume` replays from `afterSeq`. ' +
        'Close codes: 1012 restart, 4401 unauthenticated, 4403 forbidden, 4408 slow reader, 4429 too many.',
      parameters: [
        textParameter('token', 'A ticket of POST /api/ws/ticket: one use, 30 s.'),
        textParameter('channelId', 'The open channel.'),
      ],
      responses: {
        '101': { description: 'Switching protocols' },
        '401': { description: 'No valid ticket' },
        '403': { description: 'Foreign origin' },
      },
    },
  },
}

function chatSocketSchemas() {
  const schemaOf = (schema: z.core.$ZodType) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    return rest
  }
  return { ChatClientFrame: schemaOf(ClientFrame), ChatServerFrame: schemaOf(ServerFrame) }
}

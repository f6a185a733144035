import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../../access/installation.ts'
import type { OAuthClient } from '../../../access/oauth/clients.ts'
import { listClients, setClient, showClient } from '../../../access/oauth/registration.ts'
import { clientTokens, type GrantedTokens, revokeTokens } from '../../../access/oauth/token-list.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  nullable,
  refusedOften,
  text,
  yesOrNo,
} from '../../http/openapi.ts'
import {
  administer,
  id,
  inPath,
  invalidContent,
  listAnswer,
  listed,
  notFound,
  seconds,
  texts,
  valueInQuery,
} from './description.ts'
import { bodyIn, managerOf, membersIn, partIn, sendPlainJson, wholeNumberAsked, yesOrNoIn } from './requests.ts'

/** Applications and their grants. Clients are registered on the command line. */
export function addClients(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/clients.json', async (request, reply) => {
    await managerOf(request, installation)
    const granted = await clientTokens(installation, {})
    return sendPlainJson(reply, {
      clients: (await listClients(installation)).map((client) => clientOf(client, granted)),
    })
  })

  app.post('/administer/clients/:id', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const { disabled } = membersIn(request, ['disabled'])
    const which = { id: partIn(request, 'id'), by }
    const client = await setClient(installation, which, { disabled: yesOrNoIn('disabled', disabled) })
    return sendPlainJson(reply, { client: clientOf(client, await clientTokens(installation, { client: client.id })) })
  })

  app.get('/administer/clients/:id/tokens.json', async (request, reply) => {
    await managerOf(request, installation)
    const { id } = await showClient(installation, partIn(request, 'id'))
    const query = bodyIn(request, ['user'])
    const holder = { client: id, user: wholeNumberAsked(query('user'), anAccount) }
    return sendPlainJson(reply, { tokens: (await clientTokens(installation, holder)).map(tokensOf) })
  })

  app.delete('/administer/clients/:id/tokens', async (request, reply) => {
    const { uid: by } = await managerOf(request, installation)
    const { id } = await showClient(installation, partIn(request, 'id'))
    const query = bodyIn(request, ['user'])
    const holder = { client: id, user: wholeNumberAsked(query('user'), anAccount) }
    return sendPlainJson(reply, { ended: await revokeTokens(installation, holder, by) })
  })
}

const clientSchema = completeObject({
  id: text,
  label: text,
  scopes: texts,
  grants: texts,
  origin: described('Registered by a command, or declared by the farm, a module or a setting', {
    enum: ['registered', 'declared'],
  }),
  disabled: yesOrNo,
  users: described('Those it holds tokens of', { type: 'array', items: completeObject({ id, name: text }) }),
  last_token: nullable(described('When it was last given a token', seconds)),
})

const tokensSchema = completeObject({
  user: completeObject({ id, name: text }),
  scope: text,
  since: seconds,
  last_token: seconds,
  expires: seconds,
})

export const clientsDescription: DoorDescription = {
  paths: {
    '/administer/clients.json': {
      get: administer({
        id: 'listClients',
        summary: 'The applications that may ask for tokens',
        responses: listAnswer('The clients', listed('clients', clientSchema)),
      }),
    },
    '/administer/clients/{id}': {
      post: administer({
        id: 'changeClient',
        summary: 'Disable a client, which ends its tokens, or enable it again',
        parameters: [inPath('id', text)],
        body: completeObject({ disabled: yesOrNo }),
        responses: {
          '200': answer('The client as it is now', 'json', completeObject({ client: clientSchema })),
          ...refusedOften,
          ...notFound,
          ...invalidContent,
        },
      }),
    },
    '/administer/clients/{id}/tokens.json': {
      get: administer({
        id: 'listTokensOfClient',
        summary: 'What a client holds tokens for, never the tokens themselves',
        parameters: [inPath('id', text), valueInQuery('user', id)],
        responses: {
          ...listAnswer('One entry for each login or consent', listed('tokens', tokensSchema)),
          ...notFound,
        },
      }),
    },
    '/administer/clients/{id}/tokens': {
      delete: administer({
        id: 'revokeTokensOfClient',
        summary: 'End the tokens of a client, or of one user with it',
        parameters: [inPath('id', text), valueInQuery('user', id)],
        responses: {
          '200': answer('How many logins or consents ended', 'json', completeObject({ ended: { type: 'integer' } })),
          ...refusedOften,
          ...notFound,
        },
      }),
    },
  },
}

const anAccount = { name: 'user', least: 1, most: Number.MAX_SAFE_INTEGER } as const

function clientOf(client: OAuthClient, granted: readonly GrantedTokens[]): DocumentOf<typeof clientSchema> {
  const own = granted.filter((tokens) => tokens.client === client.id)
  const users = new Map(own.map(({ uid, user }) => [uid, user]))
  return {
    id: client.id,
    label: client.label,
    scopes: client.scopes,
    grants: client.grants,
    origin: client.declaration === null ? 'registered' : 'declared',
    disabled: client.disabled,
    users: [...users].map(([uid, name]) => ({ id: String(uid), name })),
    last_token: own.length === 0 ? null : String(Math.max(...own.map(({ refreshed }) => refreshed))),
  }
}

const tokensOf = ({ uid, user, scope, created, refreshed, ends }: GrantedTokens): DocumentOf<typeof tokensSchema> => ({
  user: { id: String(uid), name: user },
  scope,
  since: String(created),
  last_token: String(refreshed),
  expires: String(ends),
})

import { accessEvents } from '../../../access/events.ts'
import { roleNames } from '../../../farm/people/roles.ts'
import {
  answer,
  completeObject,
  contentOf,
  described,
  nullable,
  type ObjectMembers,
  objectOf,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  type Schema,
} from '../../http/openapi.ts'

const text: Schema = { type: 'string' }
const id = described('A number, as text', { type: 'string', pattern: '^[1-9][0-9]*$' })
const seconds = described('Unix seconds, as text', { type: 'string', pattern: '^[0-9]+$' })
const yesOrNo: Schema = { type: 'boolean' }
const role: Schema = { enum: roleNames }
const texts: Schema = { type: 'array', items: text }

/** An object that always has all of these. */
const all = (properties: ObjectMembers['properties']): Schema => completeObject(properties)

const listed = (name: string, item: Schema): Schema => all({ [name]: { type: 'array', items: item } })

/** Somebody who may not be there any more has no name. */
const somebody = all({ id, name: nullable(text) })

const person = all({
  id,
  name: text,
  mail: text,
  role: nullable(role),
  state: { enum: ['active', 'blocked', 'of-client'] },
  created: seconds,
  last_seen: nullable(described('When one of its sessions was last used, to the day', seconds)),
  sessions: { type: 'integer' },
})

const session = all({
  key: text,
  device: text,
  address: text,
  created: seconds,
  last_used: described('To the day', seconds),
  expires: seconds,
  this_one: described('Whether it is the session that asks', yesOrNo),
})

const application = all({ client: text, label: text, scopes: texts, since: seconds })

const invitation = all({
  id,
  kind: described('What the link gives: an account, or an account a new password', { enum: ['account', 'password'] }),
  name: described('For whom it is', text),
  role: nullable(role),
  user: nullable(id),
  by: nullable(all({ id, name: text })),
  created: seconds,
  expires: seconds,
})

const madeLink = all({
  id,
  link: described('Told once; what stands behind the # is its key', { type: 'string', format: 'uri' }),
  expires: seconds,
})

const client = all({
  id: text,
  label: text,
  scopes: texts,
  grants: texts,
  origin: described('Registered by a command, or declared by the farm, a module or a setting', {
    enum: ['registered', 'declared'],
  }),
  disabled: yesOrNo,
  users: described('Those it holds tokens of', { type: 'array', items: all({ id, name: text }) }),
  last_token: nullable(described('When it was last given a token', seconds)),
})

const tokens = all({
  user: all({ id, name: text }),
  scope: text,
  since: seconds,
  last_token: seconds,
  expires: seconds,
})

const event = all({
  at: seconds,
  kind: { enum: accessEvents },
  user: nullable(described('The account that it is about', somebody)),
  by: nullable(described('Whoever did it to somebody else’s account or to a client', somebody)),
  client: nullable(text),
  address: nullable(text),
})

const inPath = (name: string, schema: Schema = id): Schema => ({ name, in: 'path', required: true, schema })
const inQuery = (name: string, schema: Schema): Schema => ({ name, in: 'query', schema })
const notFound = { '404': responseRef('NotFound') }
const conflict = { '409': responseRef('Conflict') }
const invalid = { '422': responseRef('Invalid') }
const done = (description: string): Schema => ({ '204': { description }, ...refusedOften, ...notFound })

interface PersonAnswer {
  readonly id: string
  readonly summary: string
  readonly parameters?: readonly Schema[]
  readonly body?: Schema
  readonly responses: Schema
}

const administer = ({ body, ...told }: PersonAnswer): Schema =>
  operation({ ...told, tag: 'administer', ...(body === undefined ? {} : { body: contentOf('json', body) }) })

const list = (description: string, schema: Schema): Schema => ({
  '200': answer(description, 'json', schema),
  ...refusedOften,
})

export const peoplePaths: Paths = {
  '/administer/people.json': {
    get: administer({
      id: 'listPeople',
      summary: 'Every account of the farm',
      responses: list('The accounts', listed('people', person)),
    }),
  },
  '/administer/people/{id}': {
    post: administer({
      id: 'changePerson',
      summary: 'Give an account another role, block or unblock it; the last manager stays',
      parameters: [inPath('id')],
      body: {
        ...objectOf({ properties: { role: nullable(role), blocked: yesOrNo } }),
        minProperties: 1,
        maxProperties: 1,
      },
      responses: {
        '200': answer('The account as it is now', 'json', all({ person: nullable(person) })),
        ...refusedOften,
        ...notFound,
        ...conflict,
        ...invalid,
      },
    }),
    delete: administer({
      id: 'removePerson',
      summary: 'Remove an account; one that has recorded something is blocked and kept',
      parameters: [inPath('id')],
      responses: {
        '200': answer('What became of it', 'json', all({ outcome: { enum: ['removed', 'kept'] } })),
        ...refusedOften,
        ...notFound,
        ...conflict,
        ...invalid,
      },
    }),
  },
  '/administer/people/{id}/sessions.json': {
    get: administer({
      id: 'listSessionsOfPerson',
      summary: 'The devices that an account is logged in on',
      parameters: [inPath('id')],
      responses: { ...list('The sessions', listed('sessions', session)), ...notFound },
    }),
  },
  '/administer/people/{id}/sessions': {
    delete: administer({
      id: 'endAccessOfPerson',
      summary: 'End every session and token of an account',
      parameters: [inPath('id')],
      responses: done('They are ended'),
    }),
  },
  '/administer/people/{id}/sessions/{key}': {
    delete: administer({
      id: 'endSessionOfPerson',
      summary: 'End one session of an account',
      parameters: [inPath('id'), inPath('key', text)],
      responses: done('It is ended'),
    }),
  },
  '/administer/people/{id}/applications.json': {
    get: administer({
      id: 'listApplicationsOfPerson',
      summary: 'The applications that can act for an account',
      parameters: [inPath('id')],
      responses: { ...list('The applications', listed('applications', application)), ...notFound },
    }),
  },
  '/administer/people/{id}/password-link': {
    post: administer({
      id: 'makePasswordLink',
      summary: 'A link by which an account gets a new password: for a day, once',
      parameters: [inPath('id')],
      responses: {
        '201': answer('The link', 'json', madeLink),
        ...refusedOften,
        ...notFound,
        ...conflict,
        ...invalid,
      },
    }),
  },
  '/administer/invitations.json': {
    get: administer({
      id: 'listInvitations',
      summary: 'The links that can still be used',
      responses: list('The links, without their keys', listed('invitations', invitation)),
    }),
    post: administer({
      id: 'invite',
      summary: 'A link by which somebody gets an account: for a week, once',
      body: objectOf({ properties: { role, name: described('For whom it is', text) }, required: ['role'] }),
      responses: { '201': answer('The link', 'json', madeLink), ...refusedOften, ...invalid },
    }),
  },
  '/administer/invitations/{id}': {
    delete: administer({
      id: 'revokeInvitation',
      summary: 'Take a link back',
      parameters: [inPath('id')],
      responses: done('Nobody can use it any more'),
    }),
  },
  '/administer/clients.json': {
    get: administer({
      id: 'listClients',
      summary: 'The applications that may ask for tokens',
      responses: list('The clients', listed('clients', client)),
    }),
  },
  '/administer/clients/{id}': {
    post: administer({
      id: 'changeClient',
      summary: 'Disable a client, which ends its tokens, or enable it again',
      parameters: [inPath('id', text)],
      body: completeObject({ disabled: yesOrNo }),
      responses: {
        '200': answer('The client as it is now', 'json', all({ client })),
        ...refusedOften,
        ...notFound,
        ...invalid,
      },
    }),
  },
  '/administer/clients/{id}/tokens.json': {
    get: administer({
      id: 'listTokensOfClient',
      summary: 'What a client holds tokens for, never the tokens themselves',
      parameters: [inPath('id', text), inQuery('user', id)],
      responses: { ...list('One entry for each login or consent', listed('tokens', tokens)), ...notFound },
    }),
  },
  '/administer/clients/{id}/tokens': {
    delete: administer({
      id: 'revokeTokensOfClient',
      summary: 'End the tokens of a client, or of one user with it',
      parameters: [inPath('id', text), inQuery('user', id)],
      responses: {
        '200': answer('How many logins or consents ended', 'json', all({ ended: { type: 'integer' } })),
        ...refusedOften,
        ...notFound,
      },
    }),
  },
  '/administer/events.json': {
    get: administer({
      id: 'listEvents',
      summary: 'Logins, failed logins and changes to accounts, clients and tokens, newest first',
      parameters: [
        { ...inQuery('kind', { type: 'array', items: { enum: accessEvents } }), style: 'form', explode: true },
        inQuery('since', seconds),
        inQuery('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }),
      ],
      responses: list('The events', listed('events', event)),
    }),
  },
}

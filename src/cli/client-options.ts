import type { ClientChange } from '../access/oauth/registration.ts'
import { formsOfExpiresIn, grants } from '../farm/people/clients.ts'
import { many, one, type Values } from './option.ts'
import { anyText, oneOf, wholeNumber } from './option-values.ts'

const lifetime = wholeNumber(1, 31_536_000)

/** What both `client add` and `client set` can say about a client. */
export const clientOptions = {
  'redirect-uri': many('URI', anyText, {
    help: 'Where the user may be sent back to with a code; http:// for localhost, 127.0.0.1 and [::1] only',
  }),
  grant: many('G', oneOf(grants), { help: `A grant it may use: ${grants.join(', ')}` }),
  scope: many('S', anyText, { help: 'A scope it may ask for' }),
  'default-scope': many('S', anyText, {
    help: 'A scope it gets when it asks for none; if none is named, a new client gets those of --scope',
  }),
  origin: many('O', anyText, { help: 'A web origin whose scripts may call this server, such as https://app.example' }),
  pkce: one('required|optional', oneOf(['required', 'optional']), { help: 'Whether an authorization needs PKCE' }),
  'expires-in': one(formsOfExpiresIn.join('|'), oneOf(formsOfExpiresIn), {
    help: 'How expires_in is written in token responses; by-scope: a number for role scopes, else a string',
  }),
  'access-lifetime': one('S', lifetime, { help: 'How many seconds an access token lives' }),
  'refresh-lifetime': one('S', lifetime, { help: 'How many seconds a refresh token lives' }),
  'code-lifetime': one('S', wholeNumber(1, 600), { help: 'How many seconds an authorization code lives' }),
}

export const changeFrom = (values: Values<typeof clientOptions>): ClientChange => ({
  redirectUris: values['redirect-uri'],
  grants: values.grant,
  scopes: values.scope,
  defaultScopes: values['default-scope'],
  origins: values.origin,
  pkce: values.pkce,
  expiresIn: values['expires-in'],
  accessLifetime: values['access-lifetime'],
  refreshLifetime: values['refresh-lifetime'],
  codeLifetime: values['code-lifetime'],
})

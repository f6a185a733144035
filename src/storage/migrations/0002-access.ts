import type { Ddl, Migration } from './ddl.ts'

export const access: Migration = {
  version: 2,
  name: 'access',
  async up(ddl) {
    await sessions(ddl)
    await clients(ddl)
    await tokens(ddl)
    await authorizations(ddl)
    await logins(ddl)
    await ddl.table('access_event', {
      sequence: 'id',
      at: 'integer',
      event: 'key',
      uid: 'integer?',
      client: 'key?',
      address: 'key?',
    })
  },
}

async function sessions(ddl: Ddl): Promise<void> {
  await ddl.table(
    'session',
    { hash: 'key', uid: 'integer', created: 'integer', expires: 'integer', agent: 'text', address: 'key' },
    { primary: ['hash'], clustered: true },
  )
  await ddl.index('session', 'uid')
  await ddl.index('session', 'expires')
}

async function clients(ddl: Ddl): Promise<void> {
  await ddl.table(
    'client',
    {
      id: 'key',
      label: 'text',
      secret_hash: 'key?',
      grants: 'text',
      scopes: 'text',
      default_scopes: 'text',
      redirect_uris: 'text',
      origins: 'text',
      pkce: 'key',
      expires_in: 'key',
      access_lifetime: 'integer',
      refresh_lifetime: 'integer',
      code_lifetime: 'integer',
      disabled: 'integer',
      registered: 'integer',
      service_uid: 'integer?',
      created: 'integer',
    },
    { primary: ['id'], clustered: true },
  )
}

async function tokens(ddl: Ddl): Promise<void> {
  await ddl.table(
    'token_family',
    { id: 'key', client: 'key', uid: 'integer', scope: 'text', created: 'integer', ends: 'integer' },
    { primary: ['id'], clustered: true },
  )
  await ddl.index('token_family', 'uid', 'client')
  await ddl.index('token_family', 'client')
  await ddl.index('token_family', 'ends')
  await ddl.table(
    'access_token',
    {
      hash: 'key',
      family: 'key',
      client: 'key',
      uid: 'integer',
      scope: 'text',
      issued: 'integer',
      expires: 'integer',
    },
    { primary: ['hash'], clustered: true },
  )
  await ddl.index('access_token', 'family')
  await ddl.index('access_token', 'expires')
  await ddl.table(
    'refresh_token',
    { hash: 'key', family: 'key', issued: 'integer', expires: 'integer', rotated: 'integer?' },
    { primary: ['hash'], clustered: true },
  )
  await ddl.index('refresh_token', 'family')
}

async function authorizations(ddl: Ddl): Promise<void> {
  const request = {
    client: 'key',
    redirect_uri: 'text',
    redirect_uri_sent: 'integer',
    scope: 'text',
    challenge: 'key?',
    expires: 'integer',
  } as const
  await ddl.table(
    'authorization_request',
    { hash: 'key', ...request, session: 'key', state: 'text?' },
    { primary: ['hash'], clustered: true },
  )
  await ddl.index('authorization_request', 'expires')
  await ddl.table(
    'authorization_code',
    { hash: 'key', ...request, uid: 'integer', used: 'integer?', family: 'key?' },
    { primary: ['hash'], clustered: true },
  )
  await ddl.index('authorization_code', 'uid', 'client')
  await ddl.index('authorization_code', 'client')
  await ddl.index('authorization_code', 'expires')
}

async function logins(ddl: Ddl): Promise<void> {
  await ddl.table(
    'login_streak',
    { name_key: 'key', address: 'key', failures: 'integer', last: 'integer' },
    { primary: ['name_key', 'address'], clustered: true },
  )
  await ddl.index('login_streak', 'last')
  await ddl.table('login_failure', { id: 'id', address: 'key', at: 'integer' })
  await ddl.index('login_failure', 'address', 'at')
  await ddl.index('login_failure', 'at')
}

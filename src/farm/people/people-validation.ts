import type { RefusalFault } from '../../refusal.ts'
import type { Farm } from '../farm.ts'
import { faultsOfText, givenTwice } from '../field-validation.ts'
import { type ClientDeclaration, clientIdForm, type Grant, grants, isClientId } from './clients.ts'
import { roles } from './roles.ts'
import type { Scope } from './scopes.ts'

/** A client with a service account has a secret, so it is registered on the farm and not declared. */
const declarable: readonly Grant[] = grants.filter((grant) => grant !== 'client_credentials')
const rights: readonly string[] = roles.manager.rights

/** Faults of the scopes and clients of modules. */
export function faultsOfPeople(farm: Farm): RefusalFault[] {
  const scopes = farm.scopes.map(({ name }) => name)
  const clients = farm.clients.map(({ id }) => id)
  return [
    ...givenTwice(scopes).map((name) => ({ field: 'scopes', message: `"${name}" is there twice` })),
    ...givenTwice(clients).map((id) => ({ field: 'clients', message: `"${id}" is there twice` })),
    ...farm.scopes.flatMap(faultsOfScope),
    ...farm.clients.flatMap((client) => faultsOfClient(client, scopes)),
  ]
}

/** Characters of a scope (RFC 6749 section 3.3). */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

function faultsOfScope(scope: Scope): RefusalFault[] {
  const at = `scope ${scope.name}`
  const listed = scope.rights === 'own' ? [] : (scope.rights ?? ['none'])
  return [
    ...(scopeName.test(scope.name) ? [] : [{ field: at, message: 'the name must be visible ASCII without " and \\' }]),
    ...faultsOfText(scope.label, `${at}.label`),
    ...unknown(listed, rights).map((right) => ({
      field: `${at}.rights`,
      message: `there is no right "${right}"`,
      allowed: rights,
    })),
  ]
}

function faultsOfClient(client: ClientDeclaration, scopes: readonly string[]): RefusalFault[] {
  const at = `client ${client.id}`
  const lists = ['grants', 'scopes', 'defaultScopes', 'redirectUris', 'origins'] as const
  const missing = lists.filter((list) => !Array.isArray(client[list]))
  if (missing.length > 0) return missing.map((list) => ({ field: `${at}.${list}`, message: 'must be a list' }))
  const needsAddress = client.grants.includes('authorization_code') && client.redirectUris.length === 0
  return [
    ...(isClientId(client.id) ? [] : [{ field: at, message: `a client id has ${clientIdForm}` }]),
    ...faultsOfText(client.label, `${at}.label`),
    ...unknown(client.grants, declarable).map((grant) => ({
      field: `${at}.grants`,
      message: `a client that a module declares cannot have the grant "${grant}"`,
      allowed: declarable,
    })),
    ...unknown(client.scopes, scopes).map((scope) => ({
      field: `${at}.scopes`,
      message: `there is no scope "${scope}"`,
      allowed: scopes,
    })),
    ...unknown(client.defaultScopes, client.scopes).map((scope) => ({
      field: `${at}.defaultScopes`,
      message: `"${scope}" is not among its scopes`,
    })),
    ...(needsAddress ? [{ field: `${at}.redirectUris`, message: 'authorization_code needs a redirect address' }] : []),
    ...client.redirectUris
      .filter((uri) => !URL.canParse(uri))
      .map((uri) => ({ field: `${at}.redirectUris`, message: `"${uri}" is not an address` })),
    ...(['required', 'optional'].includes(client.pkce)
      ? []
      : [{ field: `${at}.pkce`, message: 'must be said', allowed: ['required', 'optional'] }]),
  ]
}

const unknown = (given: readonly string[], known: readonly string[]): string[] =>
  given.filter((one) => !known.includes(one))

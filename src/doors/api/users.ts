import type { FastifyRequest } from 'fastify'
import { type AccountView, listAccounts } from '../../access/accounts.ts'
import { type Caller, requireRight } from '../../access/caller.ts'
import { changeOwnAccount, type OwnAccountChange } from '../../access/own-account.ts'
import { whole, yesNo } from '../../fields/number.ts'
import { isTree, shown } from '../../fields/place.ts'
import { text } from '../../fields/text.ts'
import { spellTime, timestamp } from '../../fields/time.ts'
import type { Records } from '../../records/records.ts'
import { faultsRefused } from '../../records/writing/draft.ts'
import { Refusal, type RefusalFault } from '../../refusal.ts'
import { callerOf, visitorOf } from '../http/caller.ts'
import { readTree, requireSameId, SentPlace, type SentResource, sentResource } from './body/request-body.ts'
import { roleId } from './config-resources.ts'
import type { ApiResource, Targets } from './documents/identifiers.ts'
import { pointed, pointerOfPath } from './errors.ts'
import { readParameters, refuseAsOf, refuseVersion } from './query-parameters.ts'

/** Attributes that every user may see and filter by. */
export const userAttributes = {
  drupal_internal__uid: whole('User ID'),
  display_name: text('Display name'),
  langcode: text('Language'),
  name: text('Name'),
  created: timestamp('Created'),
  changed: timestamp('Changed'),
}

/** Attributes for the user and for managers. */
export const ownUserAttributes = {
  mail: text('Email'),
  timezone: text('Time zone'),
  preferred_langcode: text('Preferred language'),
  preferred_admin_langcode: text('Preferred language of administration'),
  status: yesNo('Active'),
}

/** A viewer without rights. */
export const stranger: Viewer = { uid: 0, rights: new Set() }

type Viewer = Pick<Caller, 'uid' | 'rights'>

/** A user as the caller may see them: private attributes for oneself and for managers. */
export function userResource(caller: Viewer, account: AccountView): ApiResource {
  const { uid, uuid, name, language, created, blocked } = account
  const isOneself = uid === caller.uid
  const looksAfter = caller.rights.has('configure')
  return {
    thing: { of: 'user', id: uid },
    type: 'user--user',
    id: uuid,
    attributes: {
      drupal_internal__uid: uid,
      display_name: name,
      langcode: language,
      name,
      created: spellTime(created),
      changed: spellTime(created),
      ...(isOneself ? ownAttributes(account) : {}),
      ...(looksAfter ? { status: !blocked } : {}),
    },
    relationships: isOneself || looksAfter ? { roles: rolesOf(account) } : {},
  }
}

const ownAttributes = ({ mail, timezone, language }: AccountView) => ({
  mail: mail === '' ? null : mail,
  timezone,
  preferred_langcode: language,
  preferred_admin_langcode: null,
})

const rolesOf = ({ role }: AccountView): Targets =>
  role === null ? [] : [{ of: 'config', type: 'user_role--user_role', id: roleId(role) }]

/** Changes the caller's own account. Other accounts are changed by administration. */
export async function changeUser(installation: Records, request: FastifyRequest, uuid: string): Promise<ApiResource> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'enter')
  const parameters = readParameters(request.url)
  refuseAsOf(parameters)
  refuseVersion(parameters)
  const account = await accountUnder(installation, uuid)
  if (account?.uid !== caller.uid) {
    requireRight(caller, 'read-records')
    if (account === undefined) throw noSuchUser()
    throw new Refusal('forbidden', 'Only people themselves change what is said of them here.')
  }
  const resource = sentResource(readTree(request))
  requireSameId(resource, uuid)
  const oneself = { caller, ...visitorOf(request, installation) }
  const change = changeIn(resource, userResource({ uid: caller.uid, rights: new Set(['configure']) }, account))
  await changeOwnAccount(installation, oneself, change).catch((error: unknown) => {
    throw error instanceof Refusal ? inWordsOfUsers(error) : error
  })
  const changed = await accountUnder(installation, uuid)
  if (changed === undefined) throw noSuchUser()
  return userResource(caller, changed)
}

const accountUnder = async (installation: Records, uuid: string): Promise<AccountView | undefined> =>
  (await listAccounts(installation)).find((account) => account.uuid === uuid)

const noSuchUser = () => new Refusal('not-found', 'There is no user--user with this id.')

/** The JSON pointers of the changeable attributes. */
const attributePaths = {
  name: ['name'],
  mail: ['mail'],
  language: ['preferred_langcode'],
  timezone: ['timezone'],
  password: ['pass', 'value'],
  existingPassword: ['pass', 'existing'],
} as const satisfies Readonly<Record<keyof OwnAccountChange, readonly string[]>>

/** Other members are read-only: sent unchanged, they have no effect. */
function changeIn({ attributes: sent, relationships }: SentResource, { attributes, relationships: own }: ApiResource) {
  const faults: RefusalFault[] = []
  const placeOf = (...path: string[]) => new SentPlace(['data', ...path], { faults, words: () => [] })
  const refuseUnknown = (kind: 'attributes' | 'relationships', known: readonly string[]) => {
    for (const name of Object.keys(kind === 'attributes' ? sent : relationships))
      if (!known.includes(name)) placeOf(kind, name).fault(`user--user has no such ${kind.slice(0, -1)}`, known)
  }
  refuseUnknown('attributes', [...Object.keys(attributes), ...farmsOwn, 'pass'])
  refuseUnknown('relationships', Object.keys(own))
  const { pass } = sent
  if (pass !== undefined && pass !== null && !isTree(pass))
    placeOf('attributes', 'pass').fault('must be {"value": the new password, "existing": the present one}')
  const change: { -readonly [K in keyof OwnAccountChange]: OwnAccountChange[K] } = {}
  for (const [key, path] of entriesOfAttributes) {
    const value = valueAt(sent, path)
    if (value === undefined) continue
    if (typeof value === 'string') change[key] = value
    else if (value === null && key === 'mail') change[key] = ''
    else if (value !== null || key !== 'existingPassword')
      placeOf('attributes', ...path).fault(`must be a text, not ${shown(value)}`)
  }
  if (faults.length > 0) throw faultsRefused(faults)
  return change
}

/** Only managers see these. */
const farmsOwn: readonly string[] = ['access', 'login', 'init']

const entriesOfAttributes = Object.entries(attributePaths) as [keyof OwnAccountChange, readonly string[]][]

function valueAt(tree: unknown, [name = '', ...further]: readonly string[]): unknown {
  const value = isTree(tree) ? tree[name] : undefined
  return further.length === 0 ? value : valueAt(value, further)
}

function inWordsOfUsers(refusal: Refusal): Refusal {
  const { faults = [] } = refusal.details
  const spelled = faults.map((fault) => {
    const path = Object.hasOwn(attributePaths, fault.field)
      ? attributePaths[fault.field as keyof OwnAccountChange]
      : undefined
    return path === undefined ? fault : { ...fault, field: path.join('.') }
  })
  return pointed(new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults: spelled }), ({ field }) =>
    pointerOfPath(['data', 'attributes', ...field.split('.')]),
  )
}

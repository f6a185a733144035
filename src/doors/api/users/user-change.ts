import type { FastifyRequest } from 'fastify'
import { type AccountView, listAccounts } from '../../../access/accounts.ts'
import { requireRight } from '../../../access/caller.ts'
import { changeOwnAccount, type OwnAccountChange } from '../../../access/own-account.ts'
import { isTree, shown } from '../../../fields/place.ts'
import type { Records } from '../../../records/records.ts'
import { faultsRefused } from '../../../records/writing/draft.ts'
import { type Fault, Refusal } from '../../../refusal.ts'
import { callerOf } from '../../http/caller.ts'
import { visitorOf } from '../../http/visitor.ts'
import { pointed, pointerOfPath } from '../errors/pointers.ts'
import { readTree } from '../intake/body.ts'
import { SentPlace } from '../intake/sent-place.ts'
import { requireSameId, type SentResource, sentResource } from '../intake/sent-resource.ts'
import { refuseAsOf } from '../query/as-of.ts'
import { readParameters } from '../query/parameters.ts'
import { refuseVersion } from '../query/resource-version.ts'
import type { Drawn } from '../wire/thing.ts'
import { drawUser } from './user-resource.ts'

/** Changes what people may say of themselves. Others are looked after at the command line. */
export async function changeUser(installation: Records, request: FastifyRequest, uuid: string): Promise<Drawn> {
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
  const change = changeIn(resource, drawUser({ uid: caller.uid, rights: new Set(['configure']) }, account))
  await changeOwnAccount(installation, oneself, change).catch((error: unknown) => {
    throw error instanceof Refusal ? inWordsOfUsers(error) : error
  })
  const changed = await accountUnder(installation, uuid)
  if (changed === undefined) throw noSuchUser()
  return drawUser(caller, changed)
}

const accountUnder = async (installation: Records, uuid: string): Promise<AccountView | undefined> =>
  (await listAccounts(installation)).find((account) => account.uuid === uuid)

const noSuchUser = () => new Refusal('not-found', 'There is no user--user with this id.')

/** Where each of what people may say stands in a resource. */
const attributes = {
  name: ['name'],
  mail: ['mail'],
  language: ['preferred_langcode'],
  timezone: ['timezone'],
  password: ['pass', 'value'],
  existingPassword: ['pass', 'existing'],
} as const satisfies Readonly<Record<keyof OwnAccountChange, readonly string[]>>

/** The rest is the farm's own: sent back, it changes nothing. */
function changeIn({ attributes: sent, relationships }: SentResource, { attributes, relationships: own }: Drawn) {
  const faults: Fault[] = []
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

/** What only those see who look after others. */
const farmsOwn: readonly string[] = ['access', 'login', 'init']

const entriesOfAttributes = Object.entries(attributes) as [keyof OwnAccountChange, readonly string[]][]

function valueAt(tree: unknown, [name = '', ...further]: readonly string[]): unknown {
  const value = isTree(tree) ? tree[name] : undefined
  return further.length === 0 ? value : valueAt(value, further)
}

function inWordsOfUsers(refusal: Refusal): Refusal {
  const { faults = [] } = refusal.details
  const spelled = faults.map((fault) => {
    const path = Object.hasOwn(attributes, fault.field) ? attributes[fault.field as keyof OwnAccountChange] : undefined
    return path === undefined ? fault : { ...fault, field: path.join('.') }
  })
  return pointed(new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults: spelled }), ({ field }) =>
    pointerOfPath(['data', 'attributes', ...field.split('.')]),
  )
}

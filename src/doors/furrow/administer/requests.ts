import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { IdentifiedCaller } from '../../../access/credentials.ts'
import type { Installation } from '../../../access/installation.ts'
import { type RoleName, roleNames } from '../../../farm/people/roles.ts'
import { strictJson } from '../../../formats/json/read-json.ts'
import { readQuery } from '../../../formats/query-string.ts'
import { Refusal } from '../../../refusal.ts'
import { bytesOf, unsupported } from '../../http/body.ts'
import { callerOf } from '../../http/caller.ts'
import { contentTypeOf, requirePlainUtf8 } from '../../http/negotiation.ts'

/** The caller, who must have the right `administer` now. */
export async function managerOf(request: FastifyRequest, installation: Installation): Promise<IdentifiedCaller> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'administer')
  return caller
}

export function sendPlainJson(reply: FastifyReply, content: unknown, status = 200): FastifyReply {
  return reply
    .status(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(content))
}

export function partIn(request: FastifyRequest, name: string): string {
  // The cast is safe: the route's pattern names the parameter.
  const parts = request.params as Readonly<Record<string, string>>
  return parts[name] ?? ''
}

/** The number in the path; anything else is not found. */
export function numberIn(request: FastifyRequest): number {
  const part = partIn(request, 'id')
  if (/^[1-9]\d{0,14}$/.test(part)) return Number(part)
  throw new Refusal('not-found', 'There is nothing at this address.')
}

/** The members of a JSON object; unknown members are refused. */
export function membersIn<Name extends string>(
  request: FastifyRequest,
  names: readonly Name[],
): Readonly<Partial<Record<Name, unknown>>> {
  const contentType = contentTypeOf(request)
  if (contentType.type !== 'application/json') throw unsupported(contentType.type, ['application/json'])
  requirePlainUtf8(request, contentType)
  const tree = strictJson(bytesOf(request))
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree))
    throw new Refusal('unreadable-body', 'A JSON object was expected.')
  const strange = Object.keys(tree).find((name) => !names.some((known) => known === name))
  if (strange !== undefined) throw invalid(strange, `"${strange}" is not known here.`, names)
  // The cast is safe: all names were checked.
  return tree as Readonly<Partial<Record<Name, unknown>>>
}

export function invalid(field: string, message: string, allowed?: readonly string[]): Refusal {
  const fault = { field, message, ...(allowed === undefined ? {} : { allowed }) }
  return new Refusal('invalid-content', message, { faults: [fault] })
}

export function roleIn(value: unknown): RoleName {
  const role = roleNames.find((name) => name === value)
  if (role === undefined) throw invalid('role', `A role is one of ${roleNames.join(', ')}.`, roleNames)
  return role
}

export function yesOrNoIn(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(field, `"${field}" is true or false.`, ['true', 'false'])
  return value
}

/** The values of a query by name; unknown names are refused. */
export function bodyIn<Name extends string>(
  request: FastifyRequest,
  names: readonly Name[],
): (name: Name) => readonly string[] {
  const entries = readQuery(request.url)
  const strange = entries.find(({ name, brackets }) => brackets.length > 0 || !names.some((known) => known === name))
  if (strange !== undefined)
    throw new Refusal('bad-query', `"${strange.name}" is not known here: ${names.join(', ')} are.`)
  return (wanted) => entries.filter(({ name }) => name === wanted).map(({ value }) => value)
}

/** A whole number, given at most once. */
export function wholeNumberAsked(
  values: readonly string[],
  { name, least, most }: { readonly name: string; readonly least: number; readonly most: number },
): number | undefined {
  if (values.length === 0) return undefined
  const [value = ''] = values
  const number = Number(value)
  if (values.length === 1 && /^\d{1,15}$/.test(value) && number >= least && number <= most) return number
  throw new Refusal('bad-query', `"${name}" is one whole number from ${least} to ${most}.`)
}

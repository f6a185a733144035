import type { FastifyReply, FastifyRequest } from 'fastify'
import { resourceNames } from '../../farm/resource-names.ts'
import { isTree, type Tree } from '../../fields/place.ts'
import { decodedOrAsItStands, decodedPart, type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Refusal } from '../../refusal.ts'
import type { ChangeEnding, ChangeSet } from '../../storage/change-set.ts'
import type { CreatedIdentity, TermByName } from '../../storage/kept-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without this, a dry run of the route is refused. */
    dryRun?: 'possible'
    /** For routes that ignore the body. */
    body?: 'ignored'
  }
}

/** The options of a route whose write is carried out by `carryOut`, which knows how to undo it. */
export const takesDryRun = { config: { dryRun: 'possible' } } as const

/** The same for a route with everything in its address. */
export const takesDryRunAlone = { config: { dryRun: 'possible', body: 'ignored' } } as const

const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Anything else in the query of a write is ignored, so that a slip here would write: whatever looks as if it was meant to be a dry run is one,
 * or is refused.
 */
export function watchForDryRun(request: FastifyRequest, reply: FastifyReply): void {
  if (reads.includes(request.method)) return
  if (Object.keys(request.headers).some(isMeant)) throw misspelled('Dry-Run')
  if (changeEndingOf(request) === 'kept') return
  if (request.routeOptions.config.dryRun === undefined)
    throw badQuery('dry_run', 'is not possible here: nothing was done')
  reply.header('dry-run', '1')
}

export function changeEndingOf({ url }: Pick<FastifyRequest, 'url'>): ChangeEnding {
  if (!/dry|%/i.test(url)) return 'kept'
  const [asked, second] = readQuery(url).filter(isMeantBy)
  if (asked === undefined) return 'kept'
  if (second !== undefined) throw badQuery('dry_run', 'is given twice; give it once')
  if (isDryRun(asked)) return 'undone'
  throw misspelled(asked.name)
}

const isDryRun = ({ name, brackets, value }: QueryEntry): boolean =>
  name === 'dry_run' && brackets.length === 0 && value === '1'

/** Recognises `dry_run` also after a misplaced `?` or `;`. Headers of a sheet are exempt. */
const isMeantBy = ({ name, brackets, value }: QueryEntry): boolean =>
  isMeant(name) || (name !== 'map' && brackets.some(isMeant)) || partsOf(value).some(isMeant)

const partsOf = (value: string): readonly string[] =>
  /dry/i.test(value)
    ? decodedOrAsItStands(value)
        .split(/[?&;]/)
        .slice(1)
        .map((part) => part.replace(/=.*/s, ''))
    : []

/** Without case, whatever stands between the words, and also if it was encoded twice. */
const isMeant = (name: string): boolean => {
  if (!/dry/i.test(name) && !name.includes('%')) return false
  const letters = decodedOrAsItStands(name)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  return letters === 'dry' || letters.includes('dryrun')
}

const misspelled = (name: string): Refusal =>
  badQuery(name, 'a dry run is asked for by dry_run=1 in the address, so and not otherwise; nothing was done', [
    'dry_run=1',
  ])

/** The body says what is to be recorded, and nothing about how. */
export function refuseDryRunInBody(tree: unknown): void {
  const name = isTree(tree) ? Object.keys(tree).find((one) => /^_*dry[-_ ]?run_*$/i.test(one)) : undefined
  if (name !== undefined) throw misspelled(name)
}

/** The body is ignored, so `dry_run` in it would be misunderstood and is refused. */
export function refuseDryRunInIgnoredBody({ body, method, routeOptions }: FastifyRequest): void {
  const isIgnored = method === 'DELETE' || routeOptions.config.body === 'ignored'
  if (isIgnored && body instanceof Buffer && /dry[-_ ]?run/i.test(body.toString('latin1'))) throw misspelled('dry_run')
}

/** The address of the same write that is kept. */
export function withoutDryRun(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  const others = query?.split('&').filter((segment) => decodedPart(segment.replace(/=.*/s, '')) !== 'dry_run') ?? []
  return others.length === 0 ? path : `${path}?${others.join('&')}`
}

/** The records that a dry run would have created. */
interface DryRun {
  readonly made: readonly CreatedIdentity[]
  readonly terms: readonly TermByName[]
  /** The changes as they would have been kept. */
  readonly set: Pick<ChangeSet, 'id' | 'hasChanges'>
  /** The base URL of the farm, as the caller sees it. */
  readonly base: string
}

type Headers = Readonly<Record<string, string>>

/** The headers of the same write that is kept, without what there will be only then. */
export function dryRunHeaders({ etag, location, ...others }: Headers, run: DryRun): Headers {
  return {
    ...others,
    ...(etag === undefined || run.set.hasChanges ? {} : { etag }),
    ...(location === undefined || newIn(run)(location) ? {} : { location }),
  }
}

/** Its body, without the numbers, UUIDs, addresses and versions that there will be only then. */
export const dryRunBody = (json: string, run: DryRun): string =>
  json === '' ? json : JSON.stringify(bodyOf(JSON.parse(json), run))

function bodyOf(answer: unknown, run: DryRun): unknown {
  const { terms, set } = run
  const tree = without(answer, newIn(run))
  if (!isTree(tree)) return tree
  const shown = Object.fromEntries(Object.entries(tree).filter(([name, value]) => !isToCome(name, value, set)))
  return terms.length === 0 ? shown : { ...shown, would_create: terms }
}

/** The version that is yet to come would pass for one that was seen. */
const isToCome = (name: string, value: unknown, { id, hasChanges }: DryRun['set']): boolean =>
  (name === 'set' && value === id) || (name === 'version' && hasChanges)

type IsNew = (text: unknown) => boolean

/** Recognises UUIDs and addresses of new records, and addresses below those. */
function newIn({ made, base }: DryRun): IsNew {
  const uuids = new Set(made.map(({ uuid }) => uuid))
  const paths = new Set(made.map(({ type, id }) => `${type === 'file' ? type : resourceNames[type]}/${id}`))
  return (text) => {
    if (typeof text !== 'string' || made.length === 0) return false
    if (uuids.has(text)) return true
    if (!text.startsWith(`${base}/`)) return false
    const [first, second, ...behind] = text.slice(base.length + 1).split(/[/?]/)
    return paths.has(`${first}/${second}`) || behind.some((word) => uuids.has(word))
  }
}

/** Leaves out what names something new; undefined where there is nothing else. */
function without(tree: unknown, isNew: IsNew): unknown {
  // Files may stand as their addresses alone: how many there would be is seen all the same.
  if (Array.isArray(tree)) return tree.map((one) => (isNew(one) ? null : (without(one, isNew) ?? null)))
  if (!isTree(tree)) return tree
  const members = Object.entries(isOfNew(tree, isNew) ? unnamed(tree) : tree).flatMap(([name, value]) => {
    const shown = name === 'href' && isNew(value) ? undefined : without(value, isNew)
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return members.length === 0 && Object.keys(tree).length > 0 ? undefined : Object.fromEntries(members)
}

/** A part of a record may have an id, too, which is whatever its writer says. */
const isOfNew = (tree: Tree, isNew: IsNew): boolean =>
  isNew(tree.uri) || isNew(tree.url) || isNew(tree.uuid) || (String(tree.type).includes('--') && isNew(tree.id))

const names = /^(?:id|tid|uuid|uri|url|drupal_internal__\w+)$/
const namesBelow = /^(?:uri|drupal_internal__\w+)$/

/** New records without their ids. */
function unnamed(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) => {
      if (names.test(name)) return []
      const isAbout = (name === 'attributes' || name === 'meta') && isTree(value)
      return [[name, isAbout ? leavingOut(value, namesBelow) : value] as const]
    }),
  )
}

const leavingOut = (tree: Tree, left: RegExp): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !left.test(name)))

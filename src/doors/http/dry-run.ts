import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTree } from '../../fields/place.ts'
import { decodedOrAsItStands, decodedPart, type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Refusal } from '../../refusal.ts'
import type { ChangeEnding } from '../../storage/changes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where it is missing, a write cannot be tried without being done. */
    dryRun?: 'possible'
    /** Where nothing is asked for in the body. */
    body?: 'ignored'
  }
}

/** The options of a route whose write is carried out by `carryOut`, which knows how to undo it. */
export const takesDryRun = { config: { dryRun: 'possible' } } as const

/** Likewise, of a route that says all in its address. */
export const takesDryRunAlone = { config: { dryRun: 'possible', body: 'ignored' } } as const

const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Anything else in the query of a write is ignored, so that a slip here would write: whatever looks as if it was meant to be a dry run is one,
 * or is refused.
 */
export function watchForDryRun(request: FastifyRequest, reply: FastifyReply): void {
  if (reads.includes(request.method)) return
  if (Object.keys(request.headers).some(isMeant)) throw misspelled('Dry-Run')
  if (endingAsked(request) === 'kept') return
  if (request.routeOptions.config.dryRun === undefined)
    throw badQuery('dry_run', 'is not possible here: nothing was done')
  reply.header('dry-run', '1')
}

/** What is to become of what a write does. */
export function endingAsked({ url }: Pick<FastifyRequest, 'url'>): ChangeEnding {
  if (!/dry|%/i.test(url)) return 'kept'
  const [asked, second] = readQuery(url).filter(isMeantBy)
  if (asked === undefined) return 'kept'
  if (second !== undefined) throw badQuery('dry_run', 'is given twice; give it once')
  if (isDryRun(asked)) return 'undone'
  throw misspelled(asked.name)
}

const isDryRun = ({ name, brackets, value }: QueryEntry): boolean =>
  name === 'dry_run' && brackets.length === 0 && value === '1'

/** By its name, or behind a `?` or `;` that was meant to part it from what stands before. The headers of a sheet are called as they are. */
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

/** Nothing is asked for in such a body: whoever speaks of a dry run in it would be misunderstood. */
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

import { resourceNames } from '../../../farm/resource-names.ts'
import { isTree, type Tree } from '../../../fields/place.ts'
import type { ChangeSet } from '../../../storage/change-set.ts'
import type { CreatedIdentity, TermByName } from '../../../storage/kept-answers.ts'

/** What a dry run would have left behind. */
export interface DryRun {
  readonly made: readonly CreatedIdentity[]
  readonly terms: readonly TermByName[]
  /** The changes as they would have been kept. */
  readonly set: Pick<ChangeSet, 'id' | 'hasChanges'>
  /** The address of the farm, as the caller knows it. */
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

/** Whether it is the UUID or an address of something that is new, or an address behind that. */
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

/** What would be new, without what it would be known by. */
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

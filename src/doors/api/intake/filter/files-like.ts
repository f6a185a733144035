import { badQuery } from '../../../../records/finding/filter.ts'
import { type FileCondition, type FileProperty, fileSlice } from '../../../../storage/file-pages.ts'
import { must } from '../../../../storage/must.ts'
import { limits } from '../../../http/limits.ts'
import { targetNumber } from '../../query/path.ts'
import type { ReadContext } from '../../wire/implied.ts'
import type { Comparison } from './property.ts'
import { wantsNone } from './property-condition.ts'
import { usersLike } from './short-lists.ts'
import { cannotAsk, further, type Step } from './step.ts'
import { valueTest } from './value-test.ts'

interface AskableOfFile {
  readonly property: FileProperty
  readonly compares: Comparison
}

const asked = (property: FileProperty, as: Exclude<Comparison['as'], 'word'>): AskableOfFile => ({
  property,
  compares: { as },
})

/** What of a file can be asked about and sorted by. */
export const askableOfFile: Readonly<Record<string, AskableOfFile>> = {
  id: asked('uuid', 'uuid'),
  drupal_internal__fid: asked('id', 'number'),
  filename: asked('name_key', 'text'),
  'uri.value': asked('uri_key', 'text'),
  filemime: asked('mime', 'text'),
  filesize: asked('size', 'number'),
  status: asked('is_used', 'yes or no'),
  langcode: asked('language', 'text'),
  created: asked('created', 'time'),
  changed: asked('changed', 'time'),
}

const nothing: FileCondition = { on: 'either', conditions: [] }

/** What has to hold of a file. */
export async function fileCondition(reading: ReadContext, steps: readonly Step[]): Promise<FileCondition> {
  const conditions: FileCondition[] = []
  for (const step of steps) conditions.push(await (step.names[0] === 'uid' ? ofSender(reading, step) : ofFile(step)))
  return { on: 'all', conditions }
}

function ofFile(step: Step): FileCondition {
  const name = step.names.join('.')
  const { property, compares } = askableNamed(name === targetNumber ? 'drupal_internal__fid' : name) ?? {}
  if (property === undefined || compares === undefined)
    throw cannotAsk(step, `there is no ${name} to ask for`, [...Object.keys(askableOfFile), 'uid.id'])
  if (wantsNone(step.asked)) return nothing
  return { on: property, test: valueTest(compares, 'column', step.asked) }
}

const askableNamed = (name: string): AskableOfFile | undefined =>
  Object.hasOwn(askableOfFile, name) ? askableOfFile[name] : undefined

/** What the farm itself has made was sent by nobody. */
async function ofSender(reading: ReadContext, step: Step): Promise<FileCondition> {
  if (step.names.length > 1)
    return { on: 'uid', test: { is: 'any of', values: await usersLike(reading, [further(step)]) } }
  const { operator, path } = step.asked
  if (operator === 'IS NULL') return { on: 'uid', test: { is: 'any of', values: [0] } }
  if (operator === 'IS NOT NULL') return { on: 'uid', test: { is: 'none of', values: [0] } }
  throw cannotAsk(step, `it is a relationship; ask for ${path.join('.')}.id`)
}

/** The numbers of the files that are like that. */
export async function filesLike(reading: ReadContext, steps: readonly Step[]): Promise<readonly number[]> {
  const { snapshot, caller } = reading
  const condition = await fileCondition(reading, steps)
  const limit = limits.recordsLookedAt + 1
  const found = await fileSlice(snapshot, { condition, order: [], seenBy: caller.uid, offset: 0, limit })
  if (found.length < limit) return found.map(({ id }) => id)
  const { parameter, path } = must(steps[0]).asked
  throw badQuery(
    parameter,
    `more than ${limits.recordsLookedAt} files are like that; ask for fewer by ${path.join('.')}`,
  )
}

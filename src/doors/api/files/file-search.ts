import { badQuery } from '../../../records/finding/filter.ts'
import { type FileCondition, type FileOrder, fileSlice } from '../../../storage/file-pages.ts'
import type { StoredFile } from '../../../storage/file-rows.ts'
import { askableOfFile, fileCondition } from '../intake/filter/files-like.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterGroup, isGroup } from '../query/filter/filter-tree.ts'
import type { PageAsked } from '../query/page.ts'
import type { Parameters } from '../query/parameters.ts'
import { type SortKey, sortIn } from '../query/sort.ts'
import type { ReadContext } from '../wire/implied.ts'

interface FoundFiles {
  readonly files: readonly StoredFile[]
  readonly hasMore: boolean
}

/** The files that a query asks for, one page of them. One more than that is looked for, to tell whether there are more. */
export async function findFiles(reading: ReadContext, parameters: Parameters, page: PageAsked): Promise<FoundFiles> {
  const { snapshot, caller } = reading
  const found = await fileSlice(snapshot, {
    condition: await groupCondition(reading, filterIn(parameters)),
    order: sortIn(parameters).map(orderBy),
    seenBy: caller.uid,
    offset: page.offset,
    limit: page.limit + 1,
  })
  return { files: found.slice(0, page.limit), hasMore: found.length > page.limit }
}

async function groupCondition(reading: ReadContext, { conjunction, members }: FilterGroup): Promise<FileCondition> {
  const conditions: FileCondition[] = []
  for (const member of members)
    conditions.push(
      isGroup(member)
        ? await groupCondition(reading, member)
        : await fileCondition(reading, [{ names: member.path, asked: member }]),
    )
  return { on: conjunction === 'AND' || conditions.length === 0 ? 'all' : 'either', conditions }
}

function orderBy({ path, direction, parameter }: SortKey): FileOrder {
  const name = path.join('.')
  const askable = Object.hasOwn(askableOfFile, name) ? askableOfFile[name] : undefined
  if (askable !== undefined) return { by: askable.property, direction }
  throw badQuery(parameter, `file--file cannot be sorted by ${name}`, Object.keys(askableOfFile))
}

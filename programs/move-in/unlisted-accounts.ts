import { isTree, type Tree } from '../../src/fields/place.ts'
import type { Report } from '../../src/storage/report.ts'
import { describedBundles, idIn, lastPageIn, numbered, recordLists } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import type { SourceServer } from './source-server.ts'

/** Uids probed after the last known account. */
const beyond = 20
const mostAccounts = 10_000
const together = 50

const owner = 'log_owner'
/** Filters with several values use the name of the column. */
const ownerColumn = `${owner}[target_id]`

/**
 * farmOS omits blocked accounts from its list of users, and from records that they wrote or own. It does filter records
 * by such uids, so each unknown uid is probed.
 */
export async function findUnlistedAccounts(server: SourceServer, farm: SourceFarm, report: Report): Promise<void> {
  if (farm.from === 'Furrow') return
  const people = new UnlistedAccounts(server, farm)
  let last = farm.users.highestId
  const isAsked = (uid: number) => uid <= Math.min(last + beyond, mostAccounts)
  for (let from = 0; isAsked(from); from += together) {
    const some = Array.from({ length: together }, (_, index) => from + index)
    const untold = some.filter((uid) => isAsked(uid) && !farm.users.has(uid))
    last = Math.max(last, ...(await people.ask(untold)))
    report('accounts that are not listed', Math.min(from + together, last), last)
  }
  people.amend()
}

/** The filter parameters: for one account, and for several. */
interface Filter {
  readonly filter: string
  readonly column: string
  readonly uids: readonly number[]
}

interface ListedIds {
  readonly ids: readonly number[]
  readonly last: number
}

class UnlistedAccounts {
  readonly #server: SourceServer
  readonly #farm: SourceFarm
  readonly #authorless: Readonly<Record<'asset' | 'log', Set<number>>>
  readonly #hasOwners: boolean
  readonly #owners = new Map<number, number[]>()

  constructor(server: SourceServer, farm: SourceFarm) {
    this.#server = server
    this.#farm = farm
    const authorless = (type: 'asset' | 'log') =>
      new Set([...farm.records[type].all()].flatMap(([id, { uid }]) => (idIn(uid) === undefined ? [id] : [])))
    this.#authorless = { asset: authorless('asset'), log: authorless('log') }
    this.#hasOwners = [...describedBundles(farm, 'log').values()].some(({ fields }) => fields.has(owner))
  }

  /** Returns the accounts that wrote or own anything. Uid 0 is nobody. */
  async ask(uids: readonly number[]): Promise<readonly number[]> {
    const authors = await Promise.all((['asset', 'log'] as const).map((type) => this.#authors(type, uids)))
    return [...authors.flat(), ...(this.#hasOwners ? await this.#ownersAmong(uids) : [])]
  }

  async #authors(type: 'asset' | 'log', uids: readonly number[]): Promise<readonly number[]> {
    const lacking = this.#authorless[type]
    const asked = lacking.size === 0 ? [] : uids
    return this.#those(type, { filter: 'uid', column: 'uid', uids: asked }, (uid, ids) => {
      for (const id of ids) if (lacking.delete(id)) this.#farm.records[type].amend(id, { uid: personOf(uid) })
    })
  }

  #ownersAmong(uids: readonly number[]): Promise<readonly number[]> {
    return this.#those('log', { filter: owner, column: ownerColumn, uids }, (uid, ids) => {
      for (const id of ids) {
        if (this.#ownersOf(id).some((one) => idIn(one) === uid)) continue
        this.#owners.set(id, [...(this.#owners.get(id) ?? []), uid])
      }
    })
  }

  /** Yields the records of each account that has any. One request checks many accounts. */
  async #those(
    type: 'asset' | 'log',
    { filter, column, uids }: Filter,
    take: (uid: number, ids: readonly number[]) => void,
  ): Promise<readonly number[]> {
    const all = uids.map((uid): [string, string] => [`${column}[]`, String(uid)])
    if (all.length === 0 || (await this.#listed(type, [...all, ['limit', '1']])).ids.length === 0) return []
    const lists = await Promise.all(uids.map((uid) => this.#allListed(type, [filter, String(uid)])))
    const found = uids.filter((_, index) => lists[index]?.length)
    for (const [index, uid] of uids.entries()) take(uid, lists[index] ?? [])
    return found
  }

  async #allListed(type: 'asset' | 'log', filter: [string, string]): Promise<readonly number[]> {
    const found: number[] = []
    for (let page = 0, last = 0; page <= last; page += 1) {
      const list = await this.#listed(type, [filter, ['page', String(page)]])
      found.push(...list.ids)
      last = list.last
    }
    return found
  }

  async #listed(type: 'asset' | 'log', query: [string, string][]): Promise<ListedIds> {
    const kind = recordLists[type]
    const parameters = new URLSearchParams([...query, ['full', '0'], ['sort', 'id']])
    const answer = await this.#server.jsonIfAny(`/${kind.resource}.json?${parameters}`)
    const list = isTree(answer) && Array.isArray(answer.list) ? answer.list : []
    return { ids: [...numbered(list, kind).items.keys()], last: isTree(answer) ? lastPageIn(answer) : 0 }
  }

  #ownersOf(log: number): readonly unknown[] {
    const owners = this.#farm.records.log.get(log)?.[owner]
    return isTree(owners) ? Object.values(owners) : Array.isArray(owners) ? owners : []
  }

  /** Puts owners back: a list sent with positions shows which are left out. */
  amend(): void {
    const { log } = this.#farm.records
    for (const [id, uids] of this.#owners) {
      const told = log.get(id)?.[owner]
      const owners = new Map(Object.entries(isTree(told) || Array.isArray(told) ? told : {}))
      for (const uid of uids.toSorted((one, other) => one - other)) {
        let place = 0
        while (owners.has(String(place))) place += 1
        owners.set(String(place), personOf(uid))
      }
      const inOrder = [...owners].toSorted(([one], [other]) => Number(one) - Number(other))
      log.amend(id, { [owner]: inOrder.map(([, one]) => one) })
    }
  }
}

const personOf = (uid: number): Tree => ({ id: String(uid), resource: 'user' })

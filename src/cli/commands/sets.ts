import type { Installation } from '../../access/installation.ts'
import { nameKey } from '../../access/names.ts'
import { allTypeNames } from '../../farm/fields-of.ts'
import { type SetCounts, type SetView, setsAmong } from '../../records/past/change-sets.ts'
import { Refusal } from '../../refusal.ts'
import { findAccountByName } from '../../storage/access/account-rows.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { flag, one, oneOrElse } from '../option.ts'
import { anyText, pastMoment, wholeNumber } from '../option-values.ts'
import { sayJson, sayTable } from '../terminal.ts'
import { timeOf } from '../time-of.ts'

export const sets = command({
  words: 'sets',
  summary: 'List which changes were made together, by whom and when, newest first',
  takes: {},
  options: {
    user: one('NAME', anyText, { help: 'Only those of this account' }),
    from: one('WHEN', pastMoment, { help: 'Only those since then: 30m, 24h, 7d, 2026-11-15 or 2026-11-15T08:00Z' }),
    to: one('WHEN', pastMoment, { help: 'Only those before then' }),
    limit: oneOrElse('N', wholeNumber(1, 10_000), { help: 'At most so many', fallback: '50' }),
    json: flag({ help: 'As JSON, for programs' }),
    ...existingFarmOptions,
  },
  async run({ options: { user, from, to, limit, json, ...farm } }) {
    const found = await inExistingFarm(farm, async (installation) => {
      const now = installation.clock()
      const asked = {
        limit,
        ...(user === undefined ? {} : { uid: await uidOf(installation, user) }),
        ...(from === undefined ? {} : { from: from(now) }),
        ...(to === undefined ? {} : { to: to(now) }),
      }
      return (await installation.database.read((snapshot) => setsAmong(snapshot, asked))).sets
    })
    if (json) sayJson(found.map(asJson))
    else sayTable(['SET', 'TIME', 'USER', 'CHANGES', 'UNDONE BY'], found.map(asCells))
  },
})

async function uidOf({ database }: Installation, name: string): Promise<number> {
  const account = await database.read((snapshot) => findAccountByName(snapshot, nameKey(name)))
  if (account !== undefined) return account.uid
  throw new Refusal('not-found', `There is no account named "${name}": \`furrow user list\` lists them.`)
}

const asJson = ({ at, ...set }: SetView) => ({ time: timeOf(at), ...set })

const asCells = ({ id, at, who, counts, undoes, undone_by }: SetView): string[] => [
  id,
  timeOf(at),
  who.name ?? '-',
  (undoes === null ? '' : 'undoing: ') + spelled(counts),
  undone_by ?? '-',
]

const words = { create: 'made', update: 'changed', remove: 'removed', restore: 'restored' } as const

const severalOf = { log: 'logs', asset: 'assets', term: 'terms', quantity: 'quantities' } as const

const spelled = (counts: SetCounts): string =>
  allTypeNames
    .flatMap((type) =>
      (['create', 'update', 'remove', 'restore'] as const).flatMap((verb) => {
        const count = counts[type]?.[verb]
        return count === undefined ? [] : [`${count} ${count === 1 ? type : severalOf[type]} ${words[verb]}`]
      }),
    )
    .join(', ')

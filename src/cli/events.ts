import { accessEvents, type EventView, listEvents } from '../access/events.ts'
import { command, existingFarmOptions } from './command.ts'

import { inExistingFarm } from './existing-farm.ts'
import { flag, many, one, oneOrElse } from './option.ts'
import { oneOf, pastMoment, wholeNumber } from './option-values.ts'
import { sayJson, sayTable, timeOf } from './terminal.ts'


export const events = command({
  words: 'events',
  summary: 'List logins, failed logins and changes to accounts, clients and tokens, newest first',
  takes: {},
  options: {
    kind: many('K', oneOf(accessEvents), { help: 'Only events of this kind, such as login-failed' }),
    since: one('WHEN', pastMoment, { help: 'Only events since then: 30m, 24h, 7d, 2026-11-15 or 2026-11-15T08:00Z' }),
    limit: oneOrElse('N', wholeNumber(1, 100_000), { help: 'At most so many', fallback: '100' }),
    json: flag({ help: 'As JSON, for programs' }),
    ...existingFarmOptions,
  },
  async run({ options: { kind = [], since, limit, json, ...farm } }) {
    const found = await inExistingFarm(farm, (installation) =>
      listEvents(installation, { kinds: kind, since: since?.(installation.clock()) ?? 0, most: limit }),
    )
    if (json) sayJson(found.map(asJson))
    else sayTable(['TIME', 'KIND', 'USER', 'CLIENT', 'ADDRESS', 'BY'], found.map(asCells))
  },
})

const asJson = ({ at, ...event }: EventView) => ({ time: timeOf(at), ...event })

const asCells = ({ at, kind, uid, user, client, address, actor, by }: EventView): string[] => [
  timeOf(at),
  kind,
  user ?? idOf(uid),
  client ?? '-',
  address ?? '-',
  by ?? idOf(actor),
]

const idOf = (uid: number | null): string => (uid === null ? '-' : `(id ${uid})`)

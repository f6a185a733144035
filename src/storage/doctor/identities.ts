import { allTypeNames } from '../../farm/fields-of.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, named } from '../sql/fragment.ts'
import { type Found, restoreBackup } from './finding.ts'

interface IdentityCheck {
  readonly rows: Fragment
  readonly what: (row: Readonly<Record<string, string | number>>) => string
  readonly alike: string
}

const checks: readonly IdentityCheck[] = [
  ...[...allTypeNames, 'file' as const].flatMap((type) => [
    {
      rows: fragment`select id, uuid from ${named(type)} as thing where not exists (select 1 from identity
        where identity.uuid = thing.uuid and type = ${type} and number = thing.id and removed is null)`,
      what: ({ id, uuid }: Readonly<Record<string, string | number>>) =>
        `${type} ${id}: its UUID ${uuid} is not noted as its own`,
      alike: 'UUIDs that are not noted as those of what has them',
    },
    {
      rows: fragment`select uuid, number from identity where type = ${type} and removed is null
        and not exists (select 1 from ${named(type)} as thing where thing.id = identity.number)`,
      what: ({ uuid, number }: Readonly<Record<string, string | number>>) =>
        `The UUID ${uuid} is noted as that of ${type} ${number}, which is not there`,
      alike: 'UUIDs of what is not there',
    },
  ]),
  {
    rows: fragment`select uuid, type, number from identity where ended is not null and removed is null`,
    what: ({ uuid, type, number }) => `${type} ${number} (${uuid}) ended for good, though it was not removed`,
    alike: 'records that ended without having been removed',
  },
  {
    rows: fragment`select set_id, min(sequence) as sequence from journal where set_id is not null
      and not exists (select 1 from change_set where change_set.id = journal.set_id) group by set_id`,
    what: ({ set_id, sequence }) => `The journal names the set ${set_id} at ${sequence}, which is not there`,
    alike: 'sets that the journal names and that are not there',
  },
]

/** Every UUID stands for what has it, and every set of changes that the journal names is known. */
export async function checkIdentities(snapshot: Snapshot, found: Found): Promise<void> {
  for (const { rows, what, alike } of checks) {
    for (const row of await ask<Readonly<Record<string, string | number>>>(snapshot, rows))
      found({ what: what(row), mend: restoreBackup, alike })
  }
}

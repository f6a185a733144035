import { yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference } from '../../fields/reference.ts'

/** The groups of the log's assets from its time on (docs/rules/membership.md). */
export const membership = part(
  'Group membership',
  {
    group: reference('Group', 'asset', { many: true, within: ['group'] }),
    leaves: yesNo('Leaves every group', { only: 'newer', alone: true }),
  },
  { newer: { joined: true } },
)

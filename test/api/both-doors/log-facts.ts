import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import type { Fact } from './fact.ts'
import { anyText, field, one, some, toMany } from './kinds.ts'
import { newerSent, newerShown, olderSent, olderShown, type Thing } from './thing.ts'

export const statuses = ['pending', 'done', 'abandoned']

export const status: Fact<string> = {
  name: 'status',
  keptIn: ['status'],
  initial: (door) => (door === 'newer' ? 'done' : 'pending'),
  older: {
    say: ({ draw, before }) => {
      const isDone = draw(fc.boolean)
      const after = isDone ? 'done' : before === 'abandoned' ? before : 'pending'
      return { sent: { done: isDone ? '1' : '0' }, after }
    },
    show: (state) => ({ done: state === 'done' ? '1' : '0' }),
  },
  newer: {
    say: ({ draw }) => {
      const after = one(draw, statuses)
      return { sent: { attributes: { status: after } }, after }
    },
    show: (state) => ({ attributes: { status: state } }),
  },
}

/** Whose a log is that does not say so: in the record interface its author's, in the newer generation nobody's. */
export const owners: Fact<readonly Thing[]> = {
  ...field(
    toMany(({ users }) => users),
    { older: 'log_owner', newer: 'owner' },
  ),
  initial: (door, author) => (door === 'older' ? [author] : []),
}

/** The groups that a log's assets join, if it says so, and those that it only names. */
interface Groups {
  readonly joined: readonly Thing[] | null
  readonly named: readonly Thing[]
}

export const groups: Fact<Groups> = {
  name: 'groups',
  keptIn: ['membership', 'group'],
  initial: () => ({ joined: null, named: [] }),
  older: {
    say: ({ draw, world, before }) => {
      const group = some(draw, world.groups)
      const hasLeft = before.joined?.length === 0
      const joined = group.length > 0 || hasLeft ? group : null
      return { sent: { membership: { group: group.map(olderSent) } }, after: { ...before, joined } }
    },
    show: ({ joined }, { base }) => ({ membership: { group: (joined ?? []).map(olderShown(base)) } }),
  },
  newer: {
    say: ({ draw, world, before }) => {
      const isJoining = draw(fc.boolean) ? draw(fc.boolean) : before.joined !== null
      const isSaid = isJoining !== (before.joined !== null) || draw(fc.boolean)
      const shown = before.joined ?? before.named
      const group = draw(fc.boolean) ? some(draw, world.groups) : undefined
      const now = group ?? shown
      const isAsShown = isJoining === (before.joined !== null) && isDeepStrictEqual(now, shown)
      const after = isJoining ? { joined: now, named: [] } : { joined: null, named: now }
      return {
        sent: {
          attributes: isSaid ? { is_group_assignment: isJoining } : {},
          relationships: group === undefined ? {} : { group: group.map(newerSent) },
        },
        after: isAsShown ? before : after,
      }
    },
    show: ({ joined, named }) => ({
      attributes: { is_group_assignment: joined !== null },
      relationships: { group: (joined ?? named).map(newerShown) },
    }),
  },
}

/** The word for a lab test; where nobody said one, its type in the record interface tells. */
export const labTestType = (word: string | null): Fact<string | null> => ({
  name: 'lab_test_type',
  keptIn: ['lab_test_type'],
  initial: () => word,
  newer: {
    ...(word === null ? {} : { required: true }),
    say: ({ draw, isNew }) => {
      const after =
        isNew && word !== null ? word : one(draw, isNew ? ['tissue', 'leaf'] : ['soil', 'tissue', 'water', 'leaf'])
      return { sent: { attributes: { lab_test_type: after } }, after }
    },
    show: (state) => ({ attributes: { lab_test_type: state } }),
  },
})

/** A laboratory by name, as the record interface has it, and as a term, whose name goes into an empty one. */
interface Laboratory {
  readonly lab: Thing | null
  readonly name: string | null
}

export const laboratory = (own: 'soil_lab' | 'water_lab'): Fact<Laboratory> => ({
  name: own,
  keptIn: [own, 'lab'],
  initial: () => ({ lab: null, name: null }),
  older: {
    say: ({ draw, before }) => {
      const name = draw(fc.boolean) ? anyText(draw).replace('\n', ' ') : null
      return { sent: { [own]: name }, after: { ...before, name } }
    },
    show: ({ name }) => ({ [own]: name }),
  },
  newer: {
    say: ({ draw, world, before }) => {
      if (draw(fc.boolean)) {
        const name = draw(fc.boolean) ? anyText(draw).replace('\n', ' ') : null
        return { sent: { attributes: { [own]: name } }, after: { ...before, name } }
      }
      const lab = draw(fc.integer, { min: 0, max: 3 }) > 0 ? one(draw, world.terms('lab')) : null
      const name = lab !== null && lab !== before.lab ? (before.name ?? lab.name) : before.name
      return { sent: { relationships: { lab: lab && newerSent(lab) } }, after: { lab, name } }
    },
    show: ({ lab, name }) => ({ attributes: { [own]: name }, relationships: { lab: lab && newerShown(lab) } }),
  },
})

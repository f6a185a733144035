import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { sameValue } from '../../web/store/field-values.ts'
import { mergeFields } from '../../web/store/three-way-merge.ts'
import { bothOf } from '../../web/sync/outbox-decisions.ts'

const reference = { kind: 'reference', many: true } as const
const fields = {
  name: { label: 'Name', kind: 'text' },
  notes: { label: 'Notes', kind: 'rich-text' },
  timestamp: { label: 'Time', kind: 'timestamp' },
  asset: { label: 'Assets', ...reference },
  flags: { label: 'Flags', kind: 'choice', many: true },
  quantity: { label: 'Quantities', kind: 'part', many: true },
} as const satisfies CatalogueFields

const merge = (base: object, mine: object, theirs: object) =>
  mergeFields({
    base: base as Record<string, unknown>,
    mine: mine as Record<string, unknown>,
    theirs: theirs as Record<string, unknown>,
    fields,
  })

describe('two people who changed one record', () => {
  test('merge without a conflict if they changed different fields', () => {
    const base = { name: 'Leek', notes: { value: 'dry', format: 'farm_format' } }
    expect(merge(base, { name: 'Leeks' }, { ...base, notes: { value: 'wet', format: 'farm_format' } })).toEqual({
      fields: { name: 'Leeks' },
      conflicts: [],
    })
  })

  test('do not conflict if both wrote the same value in different spellings', () => {
    const base = { asset: [{ id: '1' }], notes: { value: 'dry', format: 'farm_format' } }
    const theirs = { asset: [{ id: '1', name: 'Rosa' }, { id: '2' }], notes: { value: 'wet', format: 'farm_format' } }
    expect(merge(base, { asset: [{ id: '1' }, { id: '2' }], notes: 'wet' }, theirs)).toEqual({
      fields: {},
      conflicts: [],
    })
  })

  test('keep what either added to assets and flags, and lose what either took away', () => {
    const base = { asset: [{ id: '1' }, { id: '2' }], flags: ['monitor'] }
    const theirs = { asset: [{ id: '2' }, { id: '3' }], flags: ['monitor', 'review'] }
    expect(merge(base, { asset: [{ id: '1' }, { id: '4' }], flags: null }, theirs)).toEqual({
      fields: { asset: [{ id: '3' }, { id: '4' }], flags: ['review'] },
      conflicts: [],
    })
  })

  test.each([
    ['/file/5/5%E2%82%AC%20%26%20more.png', '/file/5/5%E2%82%AC%20&%20more.png'],
    ['/file/5/Tabelle%20100%25%20%231.csv', '/file/5/Tabelle%20100%%20'],
    ['/farm/file/5/K%C3%BChe%20%281%29.png', '/farm/file/5/K%C3%BChe%20(1).png'],
  ])('see the same file in %s and %s', (now, before) => {
    const [base, theirs] = [{ images: [before, '/file/6/a.png'] }, { images: [now, '/file/6/a.png'] }]
    expect(sameValue(base.images, theirs.images)).toBe(true)
    expect(sameValue(base.images, [now, '/file/7/a.png'])).toBe(false)
    expect(merge(base, { name: 'Leeks' }, theirs)).toEqual({ fields: { name: 'Leeks' }, conflicts: [] })
    const both = { images: [now, '/file/6/a.png', '/file/9/b.png'] }
    expect(merge(base, { images: [before] }, both)).toEqual({
      fields: { images: [now, '/file/9/b.png'] },
      conflicts: [],
    })
  })

  test('make one term if both named the same new one', () => {
    const theirs = { asset: [{ id: '9', name: 'Leek' }] }
    expect(merge({}, { asset: [{ name: 'leek ' }] }, theirs)).toEqual({ fields: {}, conflicts: [] })
  })

  test('conflict in one text, and may keep both', () => {
    const sides = { base: 'dry', mine: 'wet', theirs: 'damp' }
    const { fields: wanted, conflicts } = merge({ name: 'dry' }, { name: 'wet' }, { name: 'damp' })
    expect(wanted).toEqual({})
    expect(conflicts).toEqual([{ field: 'name', ...sides, kind: 'text' }])
    expect(conflicts.map(bothOf)).toEqual(['damp\n\nwet'])
  })

  test("get the longer text if one continued the other's", () => {
    const { conflicts } = merge(
      {},
      { notes: 'One cow is lame' },
      { notes: { value: 'One cow', format: 'farm_format' } },
    )
    expect(conflicts.map(bothOf)).toEqual([{ value: 'One cow is lame', format: 'farm_format' }])
  })

  test('conflict in a list of parts, and may keep all of them', () => {
    const [kilo, pound, ton] = [{ value: '1', unit: { id: '5' } }, { value: '2' }, { value: '3' }]
    const { conflicts } = merge({ quantity: [kilo] }, { quantity: [kilo, pound] }, { quantity: [kilo, ton] })
    expect(conflicts).toMatchObject([{ field: 'quantity', kind: 'list' }])
    expect(conflicts.map(bothOf)).toEqual([[kilo, ton, pound]])
  })

  test('conflict about a time, and have to choose', () => {
    const { conflicts } = merge({ timestamp: '1' }, { timestamp: '2' }, { timestamp: '3' })
    expect(conflicts).toEqual([{ field: 'timestamp', base: '1', mine: '2', theirs: '3', kind: 'value' }])
    expect(conflicts.map(bothOf)).toEqual([null])
  })

  test('conflict if one clears what the other writes', () => {
    expect(merge({ name: 'dry' }, { name: null }, { name: 'damp' }).conflicts).toHaveLength(1)
    expect(merge({ name: 'dry' }, { name: 'wet' }, {}).conflicts).toHaveLength(1)
  })

  test('are merged without a catalogue by the shape of the values', () => {
    const sides = { base: { flags: ['a'] }, mine: { flags: ['a', 'b'] }, theirs: { flags: ['a', 'c'] } }
    expect(mergeFields(sides)).toEqual({ fields: { flags: ['a', 'c', 'b'] }, conflicts: [] })
  })
})

const someOf = (from: readonly string[]) => fc.uniqueArray(fc.constantFrom(...from))
const ids = someOf(['1', '2', '3', '4', '5']).map((some) => some.map((id) => ({ id })))
const record = fc.record(
  {
    name: fc.constantFrom('dry', 'wet', 'damp', 'dry and wet'),
    notes: fc.constantFrom('a', 'b', 'c').map((value) => ({ value, format: 'farm_format' })),
    timestamp: fc.constantFrom('1', '2', '3'),
    asset: ids,
    flags: someOf(['monitor', 'review', 'priority']),
    quantity: fc.uniqueArray(fc.constantFrom('1', '2', '3')).map((values) => values.map((value) => ({ value }))),
  },
  { requiredKeys: [] },
)

type Side = Readonly<Record<string, unknown>>
const names = Object.keys(fields)
/** What a person who began at one record and ended at another has changed. */
const changed = (from: Side, to: Side): Side =>
  Object.fromEntries(names.filter((name) => !sameValue(from[name], to[name])).map((name) => [name, to[name] ?? null]))
const written = (theirs: Side, wanted: Side): Side => ({ ...theirs, ...wanted })
const items = (value: unknown) => ((value ?? []) as unknown[]).map((item) => JSON.stringify(item))

describe('whatever two people do', () => {
  test('nothing that only one has changed is lost, and nothing is a conflict that only one has changed', () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const { fields: wanted, conflicts } = merge(base, changed(base, mine), theirs)
        const now = written(theirs, wanted)
        for (const name of names) {
          const [was, own, other] = [(base as Side)[name], (mine as Side)[name], (theirs as Side)[name]]
          const isConflict = conflicts.some(({ field }) => field === name)
          if (sameValue(was, other)) expect(sameValue(now[name], own)).toBe(true)
          else if (sameValue(was, own)) expect(sameValue(now[name], other)).toBe(true)
          if (sameValue(was, own) || sameValue(was, other) || sameValue(own, other)) expect(isConflict).toBe(false)
        }
      }),
    )
  })

  test('assets and flags have what either added and nothing that either took away', () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const now = written(theirs, merge(base, changed(base, mine), theirs).fields)
        for (const name of ['asset', 'flags'] as const) {
          const [was, own, other, is] = [base[name], mine[name], theirs[name], now[name]].map(items) as [
            string[],
            string[],
            string[],
            string[],
          ]
          const wanted = [...own, ...other].filter(
            (item) => !was.includes(item) || (own.includes(item) && other.includes(item)),
          )
          expect(new Set(is)).toEqual(new Set(wanted))
          expect(is).toHaveLength(new Set(is).size)
        }
      }),
    )
  })

  test('the result does not depend on who came first', () => {
    fc.assert(
      fc.property(record, record, record, (base, one, other) => {
        const first = merge(base, changed(base, one), written(base, changed(base, other)))
        const second = merge(base, changed(base, other), written(base, changed(base, one)))
        expect(new Set(first.conflicts.map(({ field }) => field))).toEqual(
          new Set(second.conflicts.map(({ field }) => field)),
        )
        const [here, there] = [
          written(written(base, changed(base, other)), first.fields),
          written(written(base, changed(base, one)), second.fields),
        ]
        for (const name of ['asset', 'flags']) expect(new Set(items(here[name]))).toEqual(new Set(items(there[name])))
        for (const name of ['name', 'notes', 'timestamp', 'quantity'])
          if (!first.conflicts.some(({ field }) => field === name))
            expect(sameValue(here[name], there[name])).toBe(true)
      }),
    )
  })

  test('"both" of a conflict contains both sides', () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        for (const conflict of merge(base, changed(base, mine), theirs).conflicts) {
          if (conflict.kind === 'value') continue
          const both = JSON.stringify(bothOf(conflict))
          for (const side of [conflict.mine, conflict.theirs])
            for (const part of [side ?? []].flat())
              expect(both).toContain(JSON.stringify((part as { value?: string }).value ?? part).slice(1, -1))
        }
      }),
    )
  })
})

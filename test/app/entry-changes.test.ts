import { shortList } from '../../web/look/names.ts'
import './english-words.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { measureOf, quantityIn, sumOf } from '../../web/entries/amount.ts'
import { logOf, movesOf, moveWith, moveWithout, plantingsOf, treatmentsOf } from '../../web/entries/changes.ts'
import { logNames } from '../../web/entries/entry-words.ts'
import { areTooMany, chunks, withMembers } from '../../web/entries/herds.ts'
import { joinedBefore } from '../../web/entries/pending-comparisons.ts'
import type { LocalRecord } from '../../web/store/record.ts'
import { timeZone } from '../../web/words/locale.ts'

const record = (id: string, more: Partial<LocalRecord> = {}): LocalRecord => ({
  uuid: `uuid-of-${id}`,
  type: 'asset',
  id,
  bundle: 'animal',
  name: `Animal ${id}`,
  version: '1',
  fields: {},
  ...more,
})
const unsent = record('7b1c', { uuid: '7b1c', id: '7b1c' })
const north = record('12', { type: 'term', bundle: 'farm_areas', name: 'North 3' })
const done = { kind: 'done', at: 1000 } as const

afterEach(() => {
  timeZone.value = 'UTC'
})

describe('a group that moves', () => {
  const groups = (members: Readonly<Record<string, readonly string[]>>, archived: readonly string[] = []) => ({
    membersOf: (id: string) => members[id] ?? [],
    isHere: (id: string) => !archived.includes(id),
  })

  it('takes each of its members along, once', () => {
    expect(withMembers(['herd', 'b'], groups({ herd: ['a', 'b', 'c'] }))).toEqual(['herd', 'a', 'b', 'c'])
  })
  it('takes along members of nested groups, also if the groups form a cycle', () => {
    expect(withMembers(['herd'], groups({ herd: ['calves'], calves: ['a', 'herd'] }))).toEqual(['herd', 'calves', 'a'])
  })
  it('leaves out archived animals', () => {
    expect(withMembers(['herd'], groups({ herd: ['a', 'b'] }, ['b']))).toEqual(['herd', 'a'])
  })
  it('is one log with all members, or several above 1,000', () => {
    const many = Array.from({ length: 2001 }, (_, index) => record(String(index)))
    const moves = movesOf({ name: 'Hens to North 3', timing: done, assets: many, to: [north] })
    expect(moves.map(({ fields }) => (fields.asset as unknown[]).length)).toEqual([1000, 1000, 1])
    expect(moves.map(({ fields }) => fields.name)).toEqual([
      'Hens to North 3 (1 of 3)',
      'Hens to North 3 (2 of 3)',
      'Hens to North 3 (3 of 3)',
    ])
    expect(new Set(moves.map(({ uuid }) => uuid)).size).toBe(3)
    expect(chunks([1, 2, 3], 2)).toEqual([[1, 2], [3]])
  })
  it('is refused above 5,000 animals', () => {
    expect(areTooMany(Array.from({ length: 5000 }))).toBe(false)
    expect(areTooMany(Array.from({ length: 5001 }))).toBe(true)
  })
  it('keeps assets unknown to this device when members are removed or added', () => {
    const move = record('30', { type: 'log', fields: { asset: [{ id: '5' }, { id: '404' }, { id: '6' }] } })
    expect(moveWithout(move, ['6'])).toMatchObject({ fields: { asset: [{ id: '5' }, { id: '404' }] }, read: move })
    expect(moveWith(move, [record('7'), unsent])).toMatchObject({
      uuid: move.uuid,
      fields: { asset: [{ id: '5' }, { id: '404' }, { id: '6' }, { id: '7' }, { uuid: '7b1c' }] },
      read: move,
    })
  })
  it('is compared after sending: members who joined by unknown logs are reported', () => {
    const move = { logs: ['m'], groups: ['herd'], known: ['herd', 'a', 'left-behind'] }
    expect(joinedBefore(move, ['a', 'left-behind', 'b', 'c'])).toEqual(['b', 'c'])
  })
})

describe('what an entry writes', () => {
  it('refers to records by number, and to unsent ones by UUID', () => {
    const [move] = movesOf({ name: 'x', timing: done, assets: [record('5'), unsent], to: [north] })
    expect(move?.fields).toEqual({
      name: 'x',
      timestamp: '1000',
      done: '1',
      asset: [{ id: '5' }, { uuid: '7b1c' }],
      movement: { area: [{ id: '12' }] },
    })
  })
  it('is a plan with day and owner if it is not done', () => {
    const timing = { kind: 'planned', at: 5000, person: '3' } as const
    const made = logOf({ bundle: 'farm_input', name: 'Lime', timing, assets: [], areas: [north] })
    expect(made.fields).toMatchObject({ timestamp: '5000', done: '0', log_owner: [{ id: '3' }], area: [{ id: '12' }] })
    expect(made.fields).not.toHaveProperty('asset')
  })
  it('assigns nobody explicitly if anybody may do it, since the farm would assign the author', () => {
    const timing = { kind: 'planned', at: 5000, person: null } as const
    const made = logOf({ bundle: 'farm_input', name: 'Lime', timing, assets: [], areas: [north] })
    expect(made.fields).toMatchObject({ done: '0', log_owner: [] })
  })
  it('creates a planting with its log, and a new crop by name', () => {
    const [planting, log] = plantingsOf({
      bundle: 'farm_seeding',
      name: 'Sow Leek',
      timing: done,
      planting: { crop: { name: 'Leek' }, name: 'Leek, North 3' },
      to: [north],
    })
    expect(planting).toMatchObject({ type: 'asset', bundle: 'planting', fields: { crop: [{ name: 'Leek' }] } })
    expect(log?.fields.asset).toEqual([{ uuid: planting?.uuid }])
    expect(log?.fields.movement).toEqual({ area: [{ id: '12' }] })
  })
  it('moves an existing planting without creating another', () => {
    const made = plantingsOf({
      bundle: 'farm_transplanting',
      name: 'x',
      timing: done,
      planting: record('9'),
      to: [north],
    })
    expect(made.map(({ bundle }) => bundle)).toEqual(['farm_transplanting'])
  })
  const treatment = {
    bundle: 'farm_medical' as const,
    name: 'Tube for 117',
    timing: done,
    assets: [record('117')],
    areas: [],
    amounts: [{ value: '5', unit: 'ml', label: 'Penicillin' }],
    withheldName: 'Withholding over: 117',
  }
  it('adds a planned log for a withholding period', () => {
    expect(treatmentsOf({ ...treatment, withheld: { milk: 0 } })).toHaveLength(1)
    const [given, over] = treatmentsOf({ ...treatment, withheld: { meat: 4, milk: 0 } })
    expect(given?.fields.quantity).toEqual([
      { measure: 'volume', value: '5', unit: { name: 'ml' }, label: 'Penicillin' },
      { measure: 'time', value: '4', unit: { name: 'days' }, label: 'withhold meat' },
      { measure: 'time', value: '0', unit: { name: 'days' }, label: 'withhold milk' },
    ])
    expect(over?.fields).toEqual({
      name: 'Withholding over: 117',
      timestamp: String(1000 + 4 * 86_400),
      done: '0',
      asset: [{ id: '117' }],
    })
  })
  it('counts withholding in calendar days of the farm, also across a clock change', () => {
    timeZone.value = 'Europe/Zurich'
    const at = Date.UTC(2026, 2, 27, 22, 30) / 1000
    const [, over] = treatmentsOf({ ...treatment, timing: { kind: 'done', at }, withheld: { meat: 4 } })
    expect(over?.fields.timestamp).toBe(String(Date.UTC(2026, 2, 31, 21, 30) / 1000))
  })
})

describe('amounts', () => {
  it('are sent as typed, with an existing unit or a new one by name', () => {
    const kg = record('3', { type: 'term', bundle: 'farm_quantity_units', name: 'kg' })
    expect(quantityIn([{ value: '18,50', unit: 'kg' }], [kg])).toEqual({
      quantity: [{ measure: 'weight', value: '18.50', unit: { id: '3', name: 'kg' } }],
    })
    expect(quantityIn([{ value: '', unit: 'kg' }])).toEqual({})
  })
  it('have the measure of their unit', () => {
    expect(['kg', 'lb', 'litres', 'ml', 'bunches', 'ha'].map(measureOf)).toEqual([
      ...['weight', 'weight', 'volume', 'volume', 'count', 'area'],
    ])
  })
  it('are summed by unit', () => {
    const log = (value: string, unit: string) => ({
      ...record('1'),
      fields: { quantity: [{ value, unit: { name: unit } }] },
    })
    expect(sumOf([log('18.5', 'kg'), log('1.5', 'kg'), log('9', 'crates')], 'kg')).toBe(20)
  })
})

describe('names of entries', () => {
  it('are composed of subject and activity', () => {
    expect(logNames.move('Milkers', 'North 3')).toBe('Milkers to North 3')
    expect(logNames.seed('Leek', 'Bed 3')).toBe('Sow Leek, Bed 3')
    expect(logNames.input('Lime', '')).toBe('Lime')
    expect(shortList(['Rosa', 'Bella', 'Ida', 'Mo'])).toBe('Rosa, Bella +2')
  })
  it('are the first sentence of a note, where there is one', () => {
    expect(logNames.observe('Fence down at the beck. Two posts gone.', 'Beck')).toBe('Fence down at the beck.')
    expect(logNames.observe('', 'Beck')).toBe('Observation, Beck')
  })
  it('never exceed the limit of the farm', () => {
    expect(logNames.move('x'.repeat(300), 'North').length).toBe(255)
  })
})

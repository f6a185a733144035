import './english-words.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { animalBundle, comingAndGoing, perHeadLabel } from '../../src/farm/bundle-names.ts'
import { arrivalOf, birthOf, categoryFor, departureOf, herdOf, joiningOf } from '../../web/entries/animal-changes.ts'
import { animalsOfTags, mostTags, tagsIn } from '../../web/entries/tags.ts'
import { times } from '../../web/forms/typed-number.ts'
import { memory } from '../../web/store/memory.ts'
import { type LocalRecord, rowOf } from '../../web/store/record.ts'
import { countedHeads, headOf } from '../../web/store/stays.ts'

const animal = (id: string, more: Partial<LocalRecord> = {}): LocalRecord => ({
  ...{ uuid: `uuid-of-${id}`, type: 'asset', id, bundle: animalBundle, name: `Animal ${id}`, version: '1' },
  fields: {},
  ...more,
})
const tagged = (id: string, tag: string, fields = {}) => animal(id, { fields: { tag: [{ id: tag }], ...fields } })
const flock = animal('9', { name: 'Hens', fields: { inventory: '42' } })
const north: LocalRecord = { ...animal('12'), type: 'term', bundle: 'farm_areas', name: 'North 3' }
const done = { kind: 'done', at: 1000 } as const
const bodies = (changes: readonly object[]) => changes.map((change) => (change as { fields: unknown }).fields)

afterEach(() => {
  memory.unsentLogs = new Map()
})

describe('a range of tags', () => {
  it('keeps prefix and zeros, beside single tags', () => {
    expect(tagsIn('UK 0098–0101, DE 7').tags).toEqual(['UK 0098', 'UK 0099', 'UK 0100', 'UK 0101', 'DE 7'])
    expect(tagsIn('A9-A11').tags).toEqual(['A9', 'A10', 'A11'])
    expect(tagsIn('276000112345678901..276000112345678903').tags).toHaveLength(3)
  })
  it('is refused if it runs backwards or is too long', () => {
    expect(tagsIn('140–101')).toEqual({ tags: [], fault: 'backwards' })
    expect(tagsIn(`1-${mostTags}`).tags).toHaveLength(mostTags)
    expect(tagsIn(`1-${mostTags + 1}`).fault).toBe('too-many')
    expect(tagsIn('1-999999999').fault).toBe('too-many')
  })
  it('tells known, new and archived apart; a number alone finds the only tag with it', () => {
    const rosa = tagged('1', 'DE 101')
    const gone = animal('2', { name: '102', fields: { archived: '5' } })
    const twins = [tagged('3', 'A 103'), tagged('4', 'B 103')]
    expect(animalsOfTags([rosa, gone, ...twins], ['101', '102', '103', '104'])).toEqual({
      known: [rosa],
      archived: [gone],
      fresh: ['103', '104'],
    })
  })
})

describe('heads', () => {
  it('are one for a single animal, and the inventory of a flock', () => {
    expect([headOf(animal('1')), headOf(animal('1', { fields: { inventory: '0' } })), headOf(flock)]).toEqual([
      1, 1, 42,
    ])
  })
  it('count logs that wait to be sent', () => {
    const log: LocalRecord = {
      ...{ uuid: 'u', id: 'u', type: 'log', bundle: 'farm_activity', name: 'Died', version: '' },
      fields: { done: '1', timestamp: '5', inventory: [{ asset: { id: '9' }, value: '-2' }] },
    }
    memory.unsentLogs = new Map([['u', rowOf(log)]])
    expect(countedHeads(flock)).toBe(40)
  })
})

describe('an animal that goes', () => {
  it('is archived at the time of its log, which says why by a category with a fixed UUID', () => {
    const changes = departureOf({ what: 'died', who: [{ asset: animal('5'), heads: 1 }], name: 'Died', timing: done })
    expect(changes).toMatchObject([
      { verb: 'make', bundle: 'farm_activity', fields: { log_category: [{ uuid: comingAndGoing.died.uuid }] } },
      { verb: 'change', uuid: 'uuid-of-5', fields: { archived: '1000' } },
    ])
    expect(categoryFor('died')).toMatchObject([{ uuid: comingAndGoing.died.uuid, fields: { name: 'Death' } }])
    expect(categoryFor('sold')).toEqual([])
  })
  it('leaves a flock that is only partly sold, and ends one that is sold as a whole', () => {
    const sold = (heads: number) =>
      departureOf({ what: 'sold', who: [{ asset: flock, heads }], name: 'S', timing: done })
    expect(bodies(sold(2))).toMatchObject([{ inventory: [{ asset: { id: '9' }, value: '-2' }] }])
    expect(sold(42)).toMatchObject([{ bundle: 'farm_sale' }, { fields: { archived: '1000' } }])
  })
})

describe('animals that come', () => {
  const species = { name: 'Sheep' }
  it('are made with the log of their arrival', () => {
    const stock = { species, tags: ['7', '8'], heads: 3, flock: 'Lambs' }
    const changes = arrivalOf({
      ...{ what: 'bought', stock, back: [], herd: undefined, to: [north], name: 'B', timing: done },
      more: { seller: 'Meier' },
    })
    const made = changes.slice(0, 3).map(({ uuid }) => uuid)
    expect(changes.at(-1)).toMatchObject({
      bundle: 'farm_purchase',
      fields: {
        asset: made.map((uuid) => ({ uuid })),
        inventory: [{ asset: { uuid: made[2] }, value: '3' }],
        movement: { area: [{ id: '12' }] },
        seller: 'Meier',
      },
    })
  })
  it('come back from the archive instead of being made twice', () => {
    const gone = tagged('2', 'DE 102', { archived: '5' })
    const changes = arrivalOf({
      ...{ what: 'arrived', stock: null, back: [gone], herd: undefined, to: [], name: 'Back', timing: done },
    })
    expect(changes).toMatchObject([
      { verb: 'change', uuid: gone.uuid, fields: { archived: '0' } },
      { bundle: 'farm_activity', fields: { asset: [{ id: '2' }] } },
    ])
  })
  it('are born as children of their mother, or add to a flock', () => {
    const young = [{ name: 'Kid', tag: '', sex: 'F' }]
    const [kid, log] = birthOf({ mother: animal('5'), young, species, name: 'Born', timing: done })
    expect(kid).toMatchObject({ fields: { name: 'Kid', date: '1000', parent: [{ id: '5' }], animal_sex: 'F' } })
    expect(log).toMatchObject({ bundle: 'farm_birth', fields: { mother: { id: '5' }, asset: [{ uuid: kid?.uuid }] } })
    const [only, ...others] = birthOf({ mother: flock, young, species, name: 'Born', timing: done })
    expect(others).toEqual([])
    expect(only).toMatchObject({ fields: { inventory: [{ asset: { id: '9' }, value: '1' }] } })
  })
})

describe('a herd', () => {
  it('is made with members, new animals, heads and place in one set', () => {
    const changes = herdOf({
      ...{ herd: { name: 'Ewes' }, members: [animal('5')], others: 'kept', to: [north], name: 'Join', timing: done },
      ...{ stock: { species: { name: 'Sheep' }, tags: ['7'], heads: 2, flock: 'Ewes' }, moveName: 'Move' },
    })
    const bundles = ['group', 'animal', 'animal', 'farm_activity', 'farm_activity']
    expect(changes).toMatchObject(bundles.map((bundle) => ({ bundle })))
    const [group, one, counted, ...logs] = changes
    expect(bodies(logs)).toMatchObject([
      {
        asset: [{ uuid: one?.uuid }, { uuid: counted?.uuid }, { id: '5' }],
        membership: { group: [{ uuid: group?.uuid }] },
        inventory: [{ asset: { uuid: counted?.uuid }, value: '2' }],
      },
      { movement: { area: [{ id: '12' }] } },
    ])
  })
  it.each([
    [['7', '8'], '-2', 1],
    [Array.from({ length: 42 }, (_, at) => String(at)), '-42', 2],
  ])(
    'takes animals that get tags out of those counted by head, and archives an empty count',
    (tags, value, changed) => {
      const changes = herdOf({
        ...{ herd: animal('h'), members: [], others: 'kept', to: [], name: 'Tagged', timing: done, outOf: flock },
        ...{ stock: { species: { name: 'Hens' }, tags, heads: 0, flock: '' }, moveName: '' },
      })
      const [joining, ...archived] = bodies(changes.slice(tags.length))
      expect(joining).toMatchObject({ inventory: [{ asset: { id: '9' }, value }] })
      expect([joining, ...archived]).toHaveLength(changed)
    },
  )
  it('is joined by one log per thousand', () => {
    const members = Array.from({ length: 1001 }, (_, index) => animal(String(index)))
    expect(joiningOf({ herd: animal('h'), members, others: 'left', name: 'J', timing: done })).toHaveLength(2)
  })
  it('is left without another one', () => {
    const leaving = joiningOf({ herd: undefined, members: [flock], others: 'left', name: 'Out', timing: done })
    expect(bodies(leaving)).toMatchObject([{ asset: [{ id: '9' }], membership: { leaves: true } }])
  })
})

it('the total of a dose for each is exact', () => {
  expect([times('2.5', 40), times('0,1', 3), times('1.25', 2), times('x', 2)]).toEqual(['100', '0.3', '2.5', null])
  expect(perHeadLabel).toBe('per head')
})

import { describe, expect, test } from 'vitest'
import { newUuid } from '../../src/client/changes.ts'
import type { EntryProblem } from '../../web/store/outbox-entry.ts'
import { withoutEdit } from '../../web/store/undo.ts'
import { change, kept, make, PlainOutbox } from './outbox-entries.ts'

const problem = (status: number | null, name = ''): EntryProblem => ({
  ...{ status, detail: '', errors: [], requestId: null },
  type: name === '' ? '' : `urn:furrow:refusal:${name}`,
})
const move = newUuid()
const cow = newUuid()

describe('an edit of what was never on the wire', () => {
  test('changes the waiting entry, whether it creates or changes the record', () => {
    const outbox = new PlainOutbox(kept('hill', '7'))
    outbox.save([make('move', { done: '1' })])
    outbox.save([change('hill', { name: 'Hill' })])
    outbox.save([change('move', { done: '0', notes: 'late' })])
    outbox.save([change('hill', { flags: ['review'] })])
    expect(outbox.said).toEqual([
      'POST move {"name":"move","done":"0","notes":"late"}',
      'PUT hill {"name":"Hill","flags":["review"]}',
    ])
    expect(outbox.entries.map(({ set }) => set)).toEqual(['set 1', 'set 2'])
  })

  test('can be undone, and later edits of the same field stay', () => {
    const outbox = new PlainOutbox()
    outbox.save([make('move', { notes: 'one' })])
    outbox.save([change('move', { notes: 'two', done: '1' })], { set: 'second' })
    outbox.save([change('move', { notes: 'three' })], { set: 'third' })
    const [entry] = outbox.entries
    if (entry === undefined) throw new Error('The creation is gone.')
    expect(withoutEdit(entry, 'third').body).toEqual({ name: 'move', notes: 'two', done: '1' })
    const rest = withoutEdit(entry, 'second')
    expect(rest.body).toEqual({ name: 'move', notes: 'three' })
    expect(withoutEdit(rest, 'third').body).toEqual({ name: 'move', notes: 'one' })
    expect(withoutEdit(entry, 'unknown')).toBe(entry)
  })

  test('becomes a later entry if it refers to a record created later', () => {
    const outbox = new PlainOutbox()
    outbox.save([make(move)])
    outbox.save([make(cow, {}, 'asset')])
    outbox.save([change(move, { asset: [{ id: cow }] })])
    expect(outbox.said.map((said) => said.split(' ')[0])).toEqual(['POST', 'POST', 'PUT'])
    expect(outbox.entries[2]).toMatchObject({ body: { asset: [{ uuid: cow }] }, after: [cow] })
    const before = new PlainOutbox()
    before.save([make(cow, {}, 'asset')])
    before.save([make(move)])
    before.save([change(move, { asset: [{ id: cow }] })])
    expect(before.entries).toHaveLength(2)
    expect(before.entries[1]?.after).toEqual([cow])
  })

  test('of another field uses the record as first read', () => {
    const outbox = new PlainOutbox(kept('hill', '7', { fields: { notes: 'old', flags: ['a'] } }))
    outbox.save([change('hill', { notes: 'mine' })])
    const read = kept('hill', '7', { version: '8.edition', fields: { notes: 'theirs', flags: ['b'] } })
    outbox.save([{ verb: 'change', type: 'log', uuid: 'hill', fields: { notes: 'mine too', flags: ['b', 'c'] }, read }])
    expect(outbox.entries).toMatchObject([{ base: { notes: 'old', flags: ['b'] }, tag: '7.edition' }])
  })
})

describe('an edit of what was on the wire', () => {
  test('becomes a later entry, based on the result of the first', () => {
    const outbox = new PlainOutbox()
    outbox.save([make('move', { notes: 'one' })])
    outbox.amend(1, { state: 'frozen', tries: 1 })
    outbox.save([change('move', { notes: 'two' })])
    outbox.save([change('move', { done: '1' })])
    expect(outbox.said).toEqual(['POST move {"name":"move","notes":"one"}', 'PUT move {"notes":"two","done":"1"}'])
    expect(outbox.entries[1]).toMatchObject({ base: { name: 'move', notes: 'one' }, tag: null, id: 'move' })
  })

  test('corrects a refused entry, but not one that the server may have', () => {
    const outbox = new PlainOutbox()
    outbox.save([make('move', { quantity: 'many' })])
    outbox.amend(1, { state: 'needs-you', tries: 3, problem: problem(422, 'invalid-content') })
    const { key } = outbox.entries[0] ?? {}
    outbox.save([change('move', { quantity: null })])
    expect(outbox.entries).toMatchObject([{ state: 'waiting', tries: 0, problem: null, body: { quantity: null } }])
    expect(outbox.entries[0]?.key).not.toBe(key)
    for (const status of [500, null]) {
      outbox.amend(1, { state: 'needs-you', tries: 1, problem: problem(status) })
      const before = outbox.entries[0]
      outbox.save([change('move', { notes: 'x' })])
      expect(outbox.entries[0]).toEqual(before)
    }
  })

  const proofs: readonly (readonly [said: string, tries: number, problem: EntryProblem, taken: 'no' | 'maybe'])[] = [
    ['the only try, refused by the farm', 1, problem(409, 'uuid-taken'), 'no'],
    ['the only try, too large for the farm', 1, problem(413, 'too-large'), 'no'],
    ['the only try, answered by somebody on the way', 1, problem(404), 'maybe'],
    ['faults in the content, after an answer was lost', 2, problem(422, 'invalid-content'), 'no'],
    ['something in its way, after an answer was lost', 2, problem(409, 'conflict'), 'maybe'],
    ['its UUID taken, after an answer was lost', 2, problem(409, 'uuid-taken'), 'maybe'],
    ['too large, after an answer was lost', 2, problem(413, 'too-large'), 'maybe'],
    ['removed since, after an answer was lost', 2, problem(404, 'not-found'), 'maybe'],
    ['422 of somebody on the way, after an answer was lost', 2, problem(422), 'maybe'],
    ['compared with what the farm has', 2, { ...problem(412, 'precondition-failed'), conflicts: [] }, 'no'],
  ]
  test.each(proofs)('changes the entry only if it was surely not executed: %s', (_said, tries, found, taken) => {
    const outbox = new PlainOutbox()
    outbox.save([make(cow, {}, 'asset'), make(move)])
    for (const n of [1, 2]) outbox.amend(n, { state: 'needs-you', tries, problem: found, set: 'both' })
    outbox.save([change(move, { notes: 'x' })])
    expect(outbox.entries.map(({ state }) => state)).toEqual(
      taken === 'no' ? ['waiting', 'waiting'] : ['needs-you', 'needs-you', 'waiting'],
    )
  })

  test('is never merged with an undo', () => {
    const outbox = new PlainOutbox(kept('hill', '7'))
    outbox.save([change('hill', { name: 'one' })], { undoes: 'set 0' })
    outbox.save([change('hill', { name: 'two' })])
    outbox.save([change('hill', { name: 'three' })], { undoes: 'set 2' })
    expect(outbox.entries.map(({ undoes }) => undoes)).toEqual(['set 0', undefined, 'set 2'])
  })
})

describe('an entry', () => {
  test('contains the record as read, and its version', () => {
    const outbox = new PlainOutbox(kept('hill', '7', { name: 'Hill', fields: { area_type: 'field' } }))
    outbox.save([change('hill', { name: 'Hillock' })])
    outbox.amend(1, { state: 'frozen' })
    outbox.save([{ verb: 'remove', type: 'log', uuid: 'hill' }])
    expect(outbox.entries).toMatchObject([
      { method: 'PUT', id: '7', base: { name: 'Hill', area_type: 'field' }, tag: '7.edition', name: 'Hillock' },
      { method: 'DELETE', id: '7', base: { name: 'Hillock', area_type: 'field' }, tag: '7.edition', body: {} },
    ])
  })

  test('of several changes is one set, in order', () => {
    const outbox = new PlainOutbox(kept('hill', '7'))
    outbox.save([make(cow, {}, 'asset'), make(move, { asset: [{ id: cow }] }), change('hill', { flags: [] })])
    expect(new Set(outbox.entries.map(({ set }) => set)).size).toBe(1)
    expect(outbox.entries.map(({ record }) => record)).toEqual([cow, move, 'hill'])
    expect(new Set(outbox.entries.map(({ key }) => key)).size).toBe(3)
  })

  test('of a refused set is sent again with the whole set after a correction', () => {
    const outbox = new PlainOutbox()
    outbox.save([make(cow, {}, 'asset'), make(move, { asset: [{ id: cow }] })])
    for (const n of [1, 2])
      outbox.amend(n, { state: 'needs-you', tries: 1, problem: problem(422, 'invalid-content'), set: 'both' })
    outbox.save([change(move, { done: '1' })])
    expect(outbox.entries).toMatchObject([
      { state: 'waiting', problem: null, edits: [] },
      { state: 'waiting', problem: null, body: { done: '1' } },
    ])
  })

  test('is refused if the record is unknown', () => {
    expect(() => new PlainOutbox().save([change('nowhere', { name: 'x' })])).toThrow(/nowhere/)
  })
})

test('UUIDs are random and differ', () => {
  const some = Array.from({ length: 1000 }, newUuid)
  for (const uuid of some) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(some).size).toBe(1000)
})
